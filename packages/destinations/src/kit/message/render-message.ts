import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { text } from '../convert/text.ts'
import { configurationError, type MappingError } from '../map/mapping-error.ts'
import { type ParsedTemplate, parseMessageTemplate, type TemplatePart, type ValuePath } from './message-template.ts'

/**
 * Largest number of steps for a message: rendered parts, loop iterations, path segments after the first, and printed
 * elements. A typical message takes about ten.
 */
const stepsMax = 10_000
/** Largest number of levels of a printed value. */
const printDepthMax = 32
/** Largest number of characters in a message; the rest is cut, as Slack does. */
export const messageLengthMax = 40_000

const templatesMax = 1_000 // a workspace has a handful; the limit bounds those of many Test API calls
const parsed = new Map<string, ParsedTemplate>()

/**
 * Renders a Handlebars template. In values, `&`, `<` and `>` are escaped, and nothing else: Slack would show `&#x27;`
 * instead of an apostrophe. Source: Slack docs, message formatting, how to escape characters.
 *
 * The Handlebars library is used only to parse. It would compile a template to code that loops as long as the event
 * makes it. Here every step is counted, no code is generated, and only own members of the data can be read.
 * @example
 * ```ts
 * import { renderMessage } from '@sluice/destinations/kit'
 *
 * console.log(renderMessage('{{#if vip}}VIP {{/if}}{{name}}', { vip: true, name: 'Ann <B>' })) // VIP Ann &lt;B&gt;
 * ```
 */
export function renderMessage(template: string, data: JsonObject): string | MappingError {
  let known = parsed.get(template)
  if (!known) {
    if (parsed.size >= templatesMax) parsed.clear()
    known = parseMessageTemplate(template)
    parsed.set(template, known)
  }
  if (!known.ok) return configurationError(`A template cannot be filled: ${known.problem}`)
  const message: Message = { text: '', steps: 0, isTooDeep: false }
  renderParts(known.parts, { context: data, parents: [], root: data, names: {} }, message)
  if (message.isTooDeep)
    return configurationError(`A template cannot be filled: it prints a value of more than ${printDepthMax} levels`)
  if (message.steps > stepsMax)
    return configurationError(`A template cannot be filled: it takes more than ${stepsMax} steps for this event`)
  return message.text.slice(0, messageLengthMax)
}

interface Message {
  text: string
  steps: number
  /** Whether a value to print has too many levels. */
  isTooDeep: boolean
}

const isOver = ({ text, steps, isTooDeep }: Message): boolean =>
  isTooDeep || steps > stepsMax || text.length >= messageLengthMax

type Value = JsonValue | undefined

/** The variables that can be read at a place in a template. */
interface Scope {
  readonly context: Value
  readonly parents: readonly Value[]
  readonly root: JsonObject
  /** `@index`, `@key`, `@first` and `@last` of the innermost loop, and those of the loop around it. */
  readonly loop?: { readonly values: JsonObject; readonly outer?: Scope['loop'] }
  /** Block parameters. */
  readonly names: Readonly<Record<string, Value>>
}

type Block = Exclude<TemplatePart, { kind: 'text' | 'value' }>

function renderParts(parts: readonly TemplatePart[], scope: Scope, message: Message): void {
  for (const part of parts) {
    message.steps += 1
    if (isOver(message)) return
    if (part.kind === 'text') message.text += part.text
    else if (part.kind === 'value') message.text += shown(valueAt(part.at, scope, message), part.isEscaped, message)
    else renderBlock(part, scope, message)
  }
}

function renderBlock(block: Block, scope: Scope, message: Message): void {
  const { kind, body, otherwise } = block
  const value = valueAt(block.at, scope, message)
  const isEmpty = isBlank(value)
  const isNothing = value === false || value === null || value === undefined
  if (kind === 'if') renderParts(isEmpty || value === 0 ? otherwise : body, scope, message)
  else if (kind === 'unless') renderParts(isEmpty || value === 0 ? body : otherwise, scope, message)
  else if (kind === 'section' && value === true) renderParts(body, scope, message)
  else if (kind === 'each' || (kind === 'section' && Array.isArray(value))) renderEach(block, value, scope, message)
  else if (kind === 'with' ? isEmpty : isNothing) renderParts(otherwise, scope, message)
  else renderInner(block, value, scope, message)
}

function renderInner(block: Block, value: Value, scope: Scope, message: Message): void {
  const [name] = block.names
  const names = name === undefined ? scope.names : { ...scope.names, [name]: value }
  renderParts(block.body, { ...inside(scope, value), names }, message)
}

function renderEach(block: Block, value: Value, scope: Scope, message: Message): void {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : []
  if (keys.length === 0) renderParts(block.otherwise, scope, message)
  const [valueName, keyName] = block.names
  for (const [index, key] of keys.entries()) {
    message.steps += 1
    if (isOver(message)) return
    const member = memberOf(value, key)
    const shownKey = Array.isArray(value) ? index : key
    const values = { index, key: shownKey, first: index === 0, last: index === keys.length - 1 }
    const names = {
      ...scope.names,
      ...(valueName === undefined ? {} : { [valueName]: member }),
      ...(keyName === undefined ? {} : { [keyName]: shownKey }),
    }
    const loop = scope.loop ? { values, outer: scope.loop } : { values }
    renderParts(block.body, { ...inside(scope, member), loop, names }, message)
  }
}

/** Returns the scope inside a block. A block whose value is that of the block around it adds no level for `../`. */
function inside(scope: Scope, context: Value): Scope {
  return context === scope.context ? scope : { ...scope, context, parents: [scope.context, ...scope.parents] }
}

function valueAt({ isData, depth, parts, isScoped }: ValuePath, scope: Scope, message: Message): Value {
  const [first, ...rest] = parts
  message.steps += Math.max(0, parts.length - 1) + (isData ? depth : 0)
  if (isOver(message)) return undefined
  if (isData) {
    if (first === 'root') return rest.reduce(memberOf, scope.root as Value)
    let loop = scope.loop
    for (let level = 0; level < depth; level += 1) loop = loop?.outer
    return parts.reduce(memberOf, loop?.values as Value)
  }
  if (depth === 0 && !isScoped && first !== undefined && Object.hasOwn(scope.names, first))
    return rest.reduce(memberOf, scope.names[first])
  return parts.reduce(memberOf, depth === 0 ? scope.context : scope.parents[depth - 1])
}

/** Returns an own member. Inherited members of objects and strings cannot be read. */
function memberOf(value: Value, key: string): Value {
  if (Array.isArray(value)) return key === 'length' ? value.length : /^\d+$/.test(key) ? value[Number(key)] : undefined
  if (isJsonObject(value)) return Object.hasOwn(value, key) ? value[key] : undefined
  return undefined
}

const isBlank = (value: Value): boolean => (!value && value !== 0) || (Array.isArray(value) && value.length === 0)

function shown(value: Value, isEscaped: boolean, message: Message): string {
  if (value === undefined || value === null) return ''
  const whole = isJsonObject(value) && named.has(value) ? namedText(value, message) : plainText(value, message, 1)
  const cut = whole.slice(0, messageLengthMax)
  return isEscaped ? cut.replace(/[&<>]/g, (sign) => entities[sign] ?? sign) : cut
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Converts a value to a string like JavaScript, without calling its methods. Stops when a limit is exceeded. */
function plainText(value: JsonValue, message: Message, depth: number): string {
  if (!Array.isArray(value)) return typeof value === 'object' && value !== null ? '[object Object]' : String(value)
  if (depth > printDepthMax) message.isTooDeep = true
  const texts: string[] = []
  let length = 0
  for (const element of value) {
    message.steps += 1
    if (isOver(message) || length > messageLengthMax) break
    const printed = element === null ? '' : plainText(element, message, depth + 1)
    texts.push(printed)
    length += printed.length + 1
  }
  return texts.join()
}

const named = new WeakSet<JsonObject>()

/**
 * Returns a copy whose members a template can read, and which prints as `name: value ` for each member. Lists print their
 * elements with commas, as in JavaScript; objects print as JSON.
 */
export function namedValues(values: JsonObject): JsonObject {
  const copy = { ...values }
  named.add(copy)
  return copy
}

function namedText(values: JsonObject, message: Message): string {
  let printed = ''
  for (const [key, value] of Object.entries(values)) {
    message.steps += 1
    if (isOver(message) || printed.length > messageLengthMax) break
    if (isDeeper(value, printDepthMax)) message.isTooDeep = true
    else printed += `${key}: ${memberText(value ?? null)} `
  }
  return printed
}

/** Recurses no deeper than `isDeeper` allows. */
function memberText(value: JsonValue): string {
  return Array.isArray(value) ? value.map((each) => (each === null ? '' : memberText(each))).join() : text(value)
}

/**
 * Returns whether a value has more than this number of levels. Recurses no deeper than that, because deeply nested JSON
 * would overflow the stack.
 */
function isDeeper(value: Value, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1))
}
