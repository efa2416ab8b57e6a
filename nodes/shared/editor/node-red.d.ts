/** The slice of Node-RED's editor that our editor scripts use. Global only in their own type check. */
/// <reference types="jquery" />

/** A node as the editor holds it; settings are its own properties. */
interface EditorNode {
  readonly id: string;
  readonly type: string;
  name: string;
  /** Outputs now. */
  outputs: number;
  valid?: boolean;
  changed?: boolean;
  readonly _def: EditorDefinition;
  /** A word of the catalogue of this node's type; `__name__` in it is filled from values. */
  _(id: string, values?: Readonly<Record<string, unknown>>): string;
  [setting: string]: unknown;
}

interface EditorDefinition {
  readonly category: string;
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly credentials?: Readonly<Record<string, { readonly type: 'text' | 'password' }>>;
  readonly color?: string;
  readonly icon?: string;
  readonly align?: 'right';
  readonly inputs?: number;
  readonly outputs?: number;
  /** Ours: position of the asks output, for its look. */
  readonly asksOutput?: number;
  /** Ours: true for what can be asked over a wire. */
  readonly answersAsks?: boolean;
  readonly paletteLabel?: string;
  readonly hasUsers?: boolean;
  readonly label?: (this: EditorNode) => string;
  readonly labelStyle?: (this: EditorNode) => string;
  readonly inputLabels?: (this: EditorNode, index: number) => string;
  readonly outputLabels?: (this: EditorNode, index: number) => string;
  readonly oneditprepare?: (this: EditorNode) => void;
  /** True: something changed that the editor does not see by itself. */
  readonly oneditsave?: (this: EditorNode) => boolean | void;
  readonly oneditcancel?: (this: EditorNode) => void;
  readonly oneditresize?: (this: EditorNode, size: { readonly width: number; readonly height: number }) => void;
}

interface EditorLink {
  readonly source: EditorNode;
  readonly sourcePort: number;
  readonly target: EditorNode;
}

interface TextEditor {
  getValue(): string;
  setValue(text: string): void;
  on(event: 'change', listener: () => void): void;
  destroy(): void;
  resize(): void;
}

interface SidebarTab {
  readonly id: string;
  readonly label: string;
  readonly name: string;
  readonly content: HTMLElement;
  readonly icon?: string;
  readonly iconClass?: string;
  readonly action?: string;
  /** It can be used while a dialog is open. */
  readonly enableOnEdit?: boolean;
  readonly onchange?: () => void;
}

interface EditorRed {
  readonly nodes: {
    registerType(type: string, definition: EditorDefinition): void;
    node(id: string): EditorNode | null | undefined;
    eachNode(visit: (node: EditorNode) => void): void;
    eachConfig(visit: (node: EditorNode) => void): void;
    getNodeLinks(id: string): EditorLink[];
  };
  readonly editor: {
    createEditor(options: {
      readonly id: string;
      readonly mode: string;
      readonly value: string;
      readonly stateId?: string;
    }): TextEditor;
    validateNode(node: EditorNode): boolean;
  };
  notify(text: string, type: 'error' | 'warning' | 'success'): unknown;
  readonly hooks: { add(id: string, listener: (event: never) => void): void };
  readonly events: {
    on(event: string, listener: (subject: never) => void): void;
    off(event: string, listener: (subject: never) => void): void;
  };
  readonly plugins: {
    registerPlugin<T extends { readonly type: string; readonly onadd?: () => void }>(id: string, definition: T): void;
    getPluginsByType(type: string): readonly object[];
  };
  readonly sidebar: { addTab(options: SidebarTab): void; show(id: string): void };
  readonly actions: { add(id: string, run: () => void): void };
  readonly comms: {
    subscribe(topic: string, listener: (topic: string, data: unknown) => void): void;
    unsubscribe(topic: string, listener: (topic: string, data: unknown) => void): void;
    /** Not in every version. */
    on?(event: 'connect', listener: () => void): void;
    off?(event: 'connect', listener: () => void): void;
  };
  readonly utils: { getNodeLabel(node: EditorNode): string };
  readonly settings: { readonly apiRootUrl: string; readonly httpNodeRoot?: string };
  /** A word of any catalogue, by `namespace:id`. */
  _(id: string, values?: Readonly<Record<string, unknown>>): string;
  readonly tabs: {
    create(options: { readonly id: string; readonly onchange: (tab: { readonly id: string }) => void }): {
      addTab(tab: { readonly id: string; readonly label: string }): void;
      activateTab(id: string): void;
    };
  };
  readonly view: { redraw(all?: boolean): void; reveal(id: string): void };
  readonly popover: { tooltip(target: JQuery, text: string): unknown };
}

declare const RED: EditorRed;

interface EditableListOptions<T> {
  readonly header?: JQuery;
  readonly height?: number | 'auto';
  readonly removable?: boolean;
  readonly sortable?: boolean;
  readonly addButton?: string | boolean;
  readonly addItem: (container: JQuery, index: number, data: T) => void;
  readonly removeItem?: (data: T) => void;
  readonly sortItems?: () => void;
}

interface JQuery {
  editableList<T>(options: EditableListOptions<T>): JQuery;
  editableList(method: 'addItem' | 'addItems' | 'removeItem', value: unknown): JQuery;
  editableList(method: 'items'): JQuery;
  editableList(method: 'empty'): JQuery;
  editableList(method: 'length'): number;
  editableList(method: 'height', value: number): JQuery;
  typedInput(options: { readonly types: readonly unknown[]; readonly default?: string }): JQuery;
  typedInput(method: 'value'): string;
  typedInput(method: 'value', value: string): JQuery;
}
