import { createSafeNames, type SafeNames } from './safe-names.ts'
import type { EventType, Field, FieldType, ValueType } from './type-model.ts'

/** A type as a declaration names it. */
export type NamedType =
  | { readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'anything' | 'map' }
  | { readonly kind: 'list'; readonly items: NamedType; readonly isNullable: boolean }
  | { readonly kind: 'object' | 'choice'; readonly name: string }

export interface NamedField {
  /** As it is sent. */
  readonly key: string
  readonly name: string
  readonly type: NamedType
  readonly isRequired: boolean
  readonly isNullable: boolean
  readonly description?: string
}

/** A type with fields: that of an event, or of objects within one. */
export interface NamedObject {
  readonly kind: 'object'
  readonly name: string
  readonly fields: readonly NamedField[]
  /** Absent for objects within events. */
  readonly of?: Pick<EventType, 'call' | 'event'>
}

/** A text that is one of a few. */
interface NamedChoice {
  readonly kind: 'choice'
  readonly name: string
  readonly cases: readonly { readonly name: string; readonly value: string }[]
}

interface ReservedNames {
  readonly types: ReadonlySet<string>
  readonly fields: ReadonlySet<string>
  /** Of choices. */
  readonly cases: ReadonlySet<string>
}

/** Returns the declarations of a model for languages whose types all have names, each type before those that it uses. */
export function namedTypes(
  events: readonly EventType[],
  reserved: ReservedNames,
): readonly (NamedObject | NamedChoice)[] {
  const typeNames = createSafeNames(reserved.types)
  // The types of events first, so that objects within them take no name from them.
  const named = events.map((event) => ({ event, name: typeNames.next(event.event ?? event.call, 'Pascal') }))
  return named.flatMap(({ event, name }) => {
    const { declared, declareObject } = declarer(typeNames, reserved)
    const { call, event: called } = event
    declareObject(name, event.fields, { call, ...(called === undefined ? {} : { event: called }) })
    return declared
  })
}

function declarer(typeNames: SafeNames, reserved: ReservedNames) {
  const declared: (NamedObject | NamedChoice)[] = []
  const declareObject = (name: string, fields: readonly Field[], of?: NamedObject['of']): void => {
    const names = createSafeNames(reserved.fields)
    const place = declared.length
    const own = fields.map((field): NamedField => {
      const { key, isRequired, isNullable, description } = field
      return {
        key,
        name: names.next(key, 'camel'),
        type: typeOf(field.type, `${name} ${key}`),
        isRequired,
        isNullable,
        ...(description === undefined ? {} : { description }),
      }
    })
    declared.splice(place, 0, { kind: 'object', name, fields: own, ...(of ? { of } : {}) })
  }
  const listOf = ({ type, isNullable }: FieldType, name: string): NamedType => ({
    kind: 'list',
    items: typeOf(type, name),
    isNullable,
  })
  const typeOf = (type: ValueType, text: string): NamedType => {
    if (type.kind === 'list') return listOf(type.items, text)
    if (type.kind === 'choice') return choiceOf(type.values, text)
    // A value of several types is one of any type.
    if (type.kind === 'union') return { kind: 'anything' }
    if (type.kind !== 'object') return { kind: type.kind }
    if (type.fields.length === 0) return { kind: 'map' }
    const name = typeNames.next(text, 'Pascal')
    declareObject(name, type.fields)
    return { kind: 'object', name }
  }
  const choiceOf = (values: readonly (string | number | boolean)[], text: string): NamedType => {
    if (values.every((value) => typeof value === 'boolean')) return { kind: 'boolean' }
    if (values.every((value) => typeof value === 'number'))
      return { kind: values.every((value) => Number.isInteger(value)) ? 'integer' : 'number' }
    const texts = values.filter((value) => typeof value === 'string')
    if (texts.length < values.length) return { kind: 'anything' }
    const name = typeNames.next(text, 'Pascal')
    const names = createSafeNames(reserved.cases)
    declared.push({ kind: 'choice', name, cases: texts.map((value) => ({ name: names.next(value, 'camel'), value })) })
    return { kind: 'choice', name }
  }
  return { declared, declareObject }
}
