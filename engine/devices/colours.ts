/** Colours by name, as six hexadecimal digits (CSS Color Module Level 4, with softer ones for lamps). */
export const colours: Readonly<Record<string, string>> = {
  red: '#FF0000',
  orange: '#FF8000',
  yellow: '#FFDD00',
  green: '#00FF00',
  turquoise: '#00FFC8',
  cyan: '#00FFFF',
  blue: '#0000FF',
  purple: '#8000FF',
  magenta: '#FF00FF',
  pink: '#FF69B4',
  white: '#FFFFFF',
};

/** Red, green and blue, 0 to 255. */
export const rgbOf = (hex: string): [number, number, number] => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
];
