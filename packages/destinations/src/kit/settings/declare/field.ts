import { type TOptional, type TSchema, type TString, Type } from 'typebox'

/** Words and conditions with which a form shows a setting. Every setting has a title: `field` demands it. */
export interface FieldWords {
  /** Label, such as `API key`. */
  readonly title: string
  /** A sentence that says what the setting does. */
  readonly description: string
  /** Heading of the part of the form that it belongs to. Default: the first part, which has no heading. */
  readonly group?: string
  /** Example of a value, shown while the field is empty. */
  readonly placeholder?: string
  /** Shows the field only while other settings have these values. A list means any of them. */
  readonly shownWhen?: Readonly<Record<string, unknown>>
  /** Describes valid values in error messages: `an app id`. Default: what the kind of field allows. */
  readonly allowed?: string
  /** Set when RudderStack does not list the setting in `defaultConfig`. */
  readonly isUnlisted?: true
  /** Forbids templates, so that no event can decide the setting. */
  readonly isFixed?: true
  /** Only the operator decides it: see `operatorSettings`. */
  readonly isOperators?: true
}

interface TextWords extends FieldWords {
  readonly pattern?: string
  readonly format?: 'uri'
}

/** Declares an optional text, or one with a default. */
export function text(words: TextWords & { readonly default: string }): TString
export function text(words: TextWords): TOptional<TString>
export function text(words: TextWords & { readonly default?: string }) {
  const schema = Type.String({ ...words })
  return words.default === undefined ? Type.Optional(schema) : schema
}

/** Declares a text that must be given and must not be empty. */
export function requiredText(words: TextWords) {
  return Type.String({ minLength: 1, allowed: 'a text that is not empty', ...words })
}

/** Declares an optional text, for which RudderStack stores null when a form is emptied. */
export function textOrNull(words: FieldWords) {
  return Type.Optional(Type.Union([Type.String(), Type.Null()], { ...words }))
}

/** Declares a switch. Default: off. */
export function flag({ default: isOn = false, ...words }: FieldWords & { readonly default?: boolean }) {
  return Type.Boolean({ default: isOn, ...words })
}

/** Declares a switch that may be left open. */
export function optionalFlag(words: FieldWords) {
  return Type.Optional(Type.Boolean({ ...words }))
}

interface NumberWords extends FieldWords {
  readonly default: number
  readonly minimum: number
  readonly maximum?: number
}

/** Declares a whole number with a lower bound, and maybe an upper one. */
export function integer({ minimum, maximum, ...words }: NumberWords) {
  const bounds = maximum === undefined ? { minimum } : { minimum, maximum }
  const range = maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`
  return Type.Integer({ ...bounds, allowed: `a whole number ${range}`, ...words })
}

/**
 * Declares an optional choice. @param choices the words that a form shows, by value.
 */
export function choice<const Value extends string>(choices: Readonly<Record<Value, string>>, words: FieldWords) {
  return Type.Optional(Type.Enum(valuesOf(choices), { choices, ...words }))
}

/** Declares a choice with a default. @param choices the words that a form shows, by value. */
export function choiceOf<const Value extends string>(
  choices: Readonly<Record<Value, string>>,
  words: FieldWords & { readonly default: NoInfer<Value> },
) {
  return Type.Enum(valuesOf(choices), { choices, ...words })
}

function valuesOf<Value extends string>(choices: Readonly<Record<Value, string>>): [Value, ...Value[]] {
  return Object.keys(choices) as [Value, ...Value[]]
}

interface ListWords extends FieldWords {
  readonly default?: readonly unknown[]
  readonly maxItems?: number
}

/** Declares a list. Default: none. */
export function list<Element extends TSchema>(element: Element, words: ListWords) {
  return Type.Array(element, { default: [], ...words })
}

/** Declares a list of names, which RudderStack writes as objects: `[{ "eventName": "Order Completed" }]`. */
export function names<const Member extends string>(member: Member, words: FieldWords) {
  const element = Type.Object({ [member]: Type.Optional(Type.String({ description: 'One name.' })) } as Record<
    Member,
    ReturnType<typeof text>
  >)
  return Type.Array(element, { default: [], allowed: `a list of objects with ${member}`, ...words })
}

/** Declares a table, which RudderStack writes as `[{ "from": "…", "to": "…" }]`. */
export function pairs(words: FieldWords & { readonly from: string; readonly to: string }) {
  const { from, to, ...others } = words
  const element = Type.Object({
    from: Type.Optional(Type.String({ description: from })),
    to: Type.Optional(Type.String({ description: to })),
  })
  return Type.Array(element, { default: [], allowed: 'a list of objects with from and to', ...others })
}
