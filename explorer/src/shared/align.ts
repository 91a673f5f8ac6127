/** Two lists beside each other: what is in both stands in one row, in its order, as much of it as can (longest common subsequence). */
export function aligned<Item>(left: Item[], right: Item[], same: (a: Item, b: Item) => boolean): [Item | undefined, Item | undefined][] {
  const most: number[][] = Array.from({ length: left.length + 1 }, () => Array<number>(right.length + 1).fill(0));
  for (let a = left.length - 1; a >= 0; a--) {
    for (let b = right.length - 1; b >= 0; b--) most[a]![b] = same(left[a]!, right[b]!) ? most[a + 1]![b + 1]! + 1 : Math.max(most[a + 1]![b]!, most[a]![b + 1]!);
  }
  const rows: [Item | undefined, Item | undefined][] = [];
  let [a, b] = [0, 0];
  while (a < left.length || b < right.length) {
    if (a < left.length && b < right.length && same(left[a]!, right[b]!)) rows.push([left[a++], right[b++]]);
    else if (b >= right.length || (a < left.length && most[a + 1]![b]! >= most[a]![b + 1]!)) rows.push([left[a++], undefined]);
    else rows.push([undefined, right[b++]]);
  }
  return rows;
}
