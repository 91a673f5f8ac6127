import { Anchor, createTheme, DEFAULT_THEME, type CSSVariablesResolver } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  // A link within a text is told by more than its colour.
  components: { Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }) },
  headings: { sizes: { h1: { fontSize: '1.6rem' }, h2: { fontSize: '1.2rem' }, h3: { fontSize: '1rem' } } },
});

/** The colours that tell things apart; always beside a word that says the same. */
const colours = ['indigo', 'teal', 'red', 'orange', 'gray', 'blue', 'grape', 'yellow'];

/** Small texts reach 4.5:1 against what they stand on, as WCAG AA asks; with the library's own shades some do not. */
export const readable: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-8)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    ...texts((colour) => `color-mix(in srgb, var(--mantine-color-${colour}-9), black 40%)`),
    ...lines(8),
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-3)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    ...texts((colour) => `var(--mantine-color-${colour}-2)`),
    ...lines(4),
  },
});

function texts(shade: (colour: string) => string): Record<string, string> {
  return Object.fromEntries(
    colours.flatMap((colour) => [
      [`--mantine-color-${colour}-light-color`, shade(colour)],
      [`--mantine-color-${colour}-text`, shade(colour)],
      [`--mantine-color-${colour}-outline`, shade(colour)],
    ]),
  );
}

/** What charts are drawn with. A canvas takes the colour itself, not a variable of a variable. */
function lines(shade: number): Record<string, string> {
  return Object.fromEntries(colours.map((colour) => [`--mantine-color-${colour}-line`, DEFAULT_THEME.colors[colour]![shade]!]));
}
