import { Type } from 'typebox'

/** Words and conditions with which a form shows a setting. */
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
}

/** Declares an optional text. */
export function text(words: TextWords) {
  return Type.Optional(Type.String({ ...words }))
}

/** Declares a text that must be given and must not be empty. */
export function requiredText(words: TextWords) {
  return Type.String({ minLength: 1, allowed: 'a text that is not empty', ...words })
}

/** Declares a switch. Default: off. */
export function flag({ default: isOn = false, ...words }: FieldWords & { readonly default?: boolean }) {
  return Type.Boolean({ default: isOn, ...words })
}

interface NumberWords extends FieldWords {
  readonly default: number
  readonly minimum: number
  readonly maximum: number
}

/** Declares a whole number between two bounds. */
export function integer({ minimum, maximum, ...words }: NumberWords) {
  return Type.Integer({ minimum, maximum, allowed: `a whole number from ${minimum} to ${maximum}`, ...words })
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
