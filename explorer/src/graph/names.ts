// How names are written beside the records of the picture.

type Drawn = { x: number; y: number; size: number; label?: string | null };
type Look = { labelWeight: string; labelSize: number; labelFont: string; labelColor: { color?: string } };

/** A name stands on the right of its record, and on the left where it would be cut off there. */
export function drawName(context: CanvasRenderingContext2D, drawn: Drawn, look: Look) {
  if (!drawn.label) return;
  const { x } = placeOf(context, drawn, look);
  context.fillStyle = look.labelColor.color ?? '#000';
  context.fillText(drawn.label, x, drawn.y + look.labelSize / 3);
}

/** What is chosen or pointed at has a ring, and its name on a ground. */
export function drawRing(context: CanvasRenderingContext2D, drawn: Drawn, look: Look, dark: boolean) {
  if (drawn.label) {
    const { x, width } = placeOf(context, drawn, look);
    context.fillStyle = dark ? '#242424e6' : '#ffffffe6';
    context.fillRect(x - 2, drawn.y - look.labelSize / 2 - 3, width + 5, look.labelSize + 6);
  }
  context.beginPath();
  context.arc(drawn.x, drawn.y, drawn.size + 3, 0, 2 * Math.PI);
  context.lineWidth = 2.5;
  context.strokeStyle = dark ? '#ffd8a8' : '#d9480f';
  context.stroke();
  drawName(context, drawn, look);
}

function placeOf(context: CanvasRenderingContext2D, { x, size, label }: Drawn, look: Look): { x: number; width: number } {
  context.font = `${look.labelWeight} ${look.labelSize}px ${look.labelFont}`;
  const { width } = context.measureText(label!);
  const [left, right] = [x - size - 3 - width, x + size + 3];
  return { x: left > 0 && right + width > context.canvas.width / devicePixelRatio ? left : right, width };
}
