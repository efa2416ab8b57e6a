/** Elements in one call. Words go in as text, never as HTML. */

export interface Given {
  readonly class?: string;
  readonly text?: string;
  readonly title?: string;
  readonly onclick?: () => void;
  /** Further attributes; `undefined` leaves one out. */
  readonly [attribute: string]: string | (() => void) | undefined;
}

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  { text, onclick, ...attributes }: Given = {},
  ...children: readonly (Node | undefined)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (typeof value === 'string') made.setAttribute(attribute, value);
  }
  if (text !== undefined) made.textContent = text;
  if (onclick) made.addEventListener('click', onclick);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** A button with an icon of Font Awesome 4.7; its words are the title. */
export const iconButton = (icon: string, title: string, onclick: () => void): HTMLButtonElement =>
  element(
    'button',
    { type: 'button', class: 'red-ui-button red-ui-button-small', title, 'aria-label': title, onclick },
    element('i', { class: `fa ${icon}`, 'aria-hidden': 'true' }),
  );
