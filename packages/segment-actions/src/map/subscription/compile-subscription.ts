import { type Event, isJsonObject } from '@sluice/core'
import { createPathReader, type PathReader } from '../path/path-reader.ts'

/** Returns whether an event reaches an action. */
type Subscription = (event: Event) => boolean

const depthMax = 32 // groups inside groups; `parseFql` makes two

/**
 * Compiles a condition in FQL, as `parseFql` of `@segment/destination-subscriptions` parses it, to a predicate. Its
 * answer is that of `validate` there. A node that `validate` does not know never matches, and neither does a text that
 * `parseFql` could not parse, nor a group that is nested deeper than 32.
 */
export function compileSubscription(ast: unknown): Subscription {
  if (!isJsonObject(ast) || ast['error']) return never
  return compileGroup(ast, depthMax)
}

const never: Subscription = () => false

function compileGroup({ operator, children }: Node, depth: number): Subscription {
  if (!Array.isArray(children) || depth === 0) return never
  const conditions = children.map((child) => compileNode(child, depth - 1))
  const [only = never] = conditions
  if (operator !== 'and' && operator !== 'or') return never
  if (conditions.length === 1) return only
  if (operator === 'and') return (event) => conditions.every((matches) => matches(event))
  return (event) => conditions.some((matches) => matches(event))
}

type Node = Readonly<Record<string, unknown>>

function compileNode(node: unknown, depth: number): Subscription {
  if (!isJsonObject(node)) return never
  if (node['type'] === 'group') return compileGroup(node, depth)
  const read = readerOf(node)
  const test = compileTest(String(node['operator']), node['value'])
  if (read === undefined || test === undefined) return never
  return (event) => test(read(event))
}

/** The members that conditions look into. */
const objects = { 'event-property': 'properties', 'event-trait': 'traits', 'event-context': 'context' } as const
const members = { 'event-type': 'type', event: 'event', name: 'name', userId: 'userId' } as const

function readerOf({ type, name }: Node): PathReader | undefined {
  if (isKeyOf(members, type)) return createPathReader([members[type]])
  if (!isKeyOf(objects, type)) return undefined
  // Splits paths in another way than mappings do, as Segment does.
  const keys = typeof name === 'string' ? name.match(/[^[.\]]+/g) : null
  return keys === null ? () => undefined : createPathReader([objects[type], ...keys])
}

function isKeyOf<T extends object>(table: T, key: unknown): key is keyof T {
  return typeof key === 'string' && Object.hasOwn(table, key)
}

type Test = (actual: unknown) => boolean

function compileTest(operator: string, expected: unknown): Test | undefined {
  const text = String(expected)
  const number = Number(expected)
  const ofNumber =
    (test: (actual: number) => boolean): Test =>
    (actual) =>
      typeof actual === 'number' && test(actual)
  const ofText =
    (test: (actual: string) => boolean): Test =>
    (actual) =>
      typeof actual === 'string' && test(actual)
  switch (operator) {
    case '=':
      return (actual) => actual === text
    case '!=':
      return (actual) => actual !== text
    case 'number_equals':
      return ofNumber((actual) => actual === number)
    case 'number_not_equals':
      return ofNumber((actual) => actual !== number)
    case '<':
      return ofNumber((actual) => actual < number)
    case '<=':
      return ofNumber((actual) => actual <= number)
    case '>':
      return ofNumber((actual) => actual > number)
    case '>=':
      return ofNumber((actual) => actual >= number)
    case 'contains':
      return ofText((actual) => actual.includes(text))
    case 'not_contains':
      return ofText((actual) => !actual.includes(text))
    case 'starts_with':
      return ofText((actual) => actual.startsWith(text))
    case 'not_starts_with':
      return ofText((actual) => !actual.startsWith(text))
    case 'ends_with':
      return ofText((actual) => actual.endsWith(text))
    case 'not_ends_with':
      return ofText((actual) => !actual.endsWith(text))
    case 'exists':
      return (actual) => actual !== undefined && actual !== null
    case 'not_exists':
      return (actual) => actual === undefined || actual === null
    case 'is_true':
      return (actual) => actual === true
    case 'is_false':
      return (actual) => actual === false
    default:
      return undefined
  }
}
