import { type FqlToken, fqlTokens } from './fql-tokens.ts'

/**
 * Returns what is allowed in place of the first mistake in a condition in FQL, with its position, or undefined when there
 * is none. Segment's `parseFql` skips or misreads most mistakes, so that a condition would fit other events than its
 * author meant: `event = Order Completed` only those with the name `Order`. Everything that this function accepts,
 * `parseFql` reads as it is written.
 */
export function checkFql(fql: string): string | undefined {
  const reader = readerOf(fqlTokens(fql))
  try {
    readConditions(reader, false)
    if (reader.peek().kind !== 'end') reader.refuse(afterCondition)
    return undefined
  } catch (error) {
    if (error instanceof FqlMistake) return error.message
    throw error
  }
}

class FqlMistake extends Error {}

interface Reader {
  peek(): FqlToken
  take(): FqlToken
  /** @throws FqlMistake that names the token, by default the next one. */
  refuse(allowed: string, token?: FqlToken): never
}

const paths = 'type, event, name, userId, properties.…, traits.… or context.…'
const condition = `a condition, such as event = "Order Completed", with one of ${paths}`
const afterCondition = 'and, or, or the end; a text of several words needs double quotes'
const members: ReadonlySet<string> = new Set(['type', 'event', 'name', 'userId'])
const functions: ReadonlySet<string> = new Set(['contains', 'match'])
/** Words that Segment does not read as a part of a path. */
const reserved: ReadonlySet<string> = new Set(['and', 'or', 'null'])

function readerOf(tokens: readonly FqlToken[]): Reader {
  let index = 0
  const peek = (): FqlToken => tokens[Math.min(index, tokens.length - 1)] as FqlToken
  return {
    peek,
    take() {
      const token = peek()
      index += 1
      return token
    },
    refuse(allowed, { kind, text, at } = peek()) {
      throw new FqlMistake(`at character ${at + 1} (${kind === 'end' ? 'the end' : text}): ${allowed}`)
    },
  }
}

function readConditions(reader: Reader, isInside: boolean): void {
  let first: 'and' | 'or' | undefined
  for (;;) {
    readCondition(reader, isInside)
    const token = reader.peek()
    const word = connective(reader, token)
    if (word === undefined) return
    first ??= word
    if (word !== first)
      reader.refuse('parentheses around one part: where and and or are mixed, the last one counts for all', token)
    reader.take()
  }
}

function connective(reader: Reader, token: FqlToken): 'and' | 'or' | undefined {
  const { kind, text, next } = token
  // Segment skips a comma and a word that it does not know; without another connective, that means `and`.
  if (text === ',' || (kind === 'path' && text.toLowerCase() === 'and')) return 'and'
  if (kind !== 'path' || text.toLowerCase() !== 'or') return undefined
  if (text !== 'or') reader.refuse('or, in small letters', token)
  if (next !== '' && !/\s/.test(next)) reader.refuse('a space after or', token)
  return 'or'
}

function readCondition(reader: Reader, isInside: boolean): void {
  const token = reader.take()
  const { kind, text } = token
  if (text === '(') readGroup(reader, isInside, token)
  else if (text === '!') readFunction(reader, reader.take(), isInside)
  else if (kind !== 'path') reader.refuse(condition, token)
  else if (reader.peek().text === '(') readFunction(reader, token, isInside)
  else readComparison(reader, token)
}

function readGroup(reader: Reader, isInside: boolean, token: FqlToken): void {
  if (isInside) reader.refuse('no parentheses inside parentheses', token)
  readConditions(reader, true)
  if (reader.peek().text !== ')') reader.refuse('and, or, or a closing parenthesis')
  reader.take()
}

function readComparison(reader: Reader, path: FqlToken): void {
  requirePath(reader, path)
  const operator = reader.take()
  if (operator.kind !== 'operator') reader.refuse('one of = != < <= > >=', operator)
  if (operator.text === '==') reader.refuse('a single =', operator)
  if (operator.text.length === 2 && !/\s/.test(operator.next))
    reader.refuse(`a space and a value after ${operator.text}`, operator)
  const value = reader.take()
  if (value.kind === 'path' ? isConnective(value) : value.kind !== 'text' && value.kind !== 'number')
    reader.refuse('a value: a text in double quotes, a number, true, false or null', value)
  requireDoubleQuotes(reader, value)
}

function readFunction(reader: Reader, token: FqlToken, isInside: boolean): void {
  const name = token.text
  if (!functions.has(name)) reader.refuse('contains(…) or match(…), the only functions, and all that ! negates', token)
  if (reader.peek().text !== '(') reader.refuse(`an opening parenthesis after ${name}`)
  reader.take()
  const path = reader.take()
  if (path.kind !== 'path' || path.text === 'type')
    reader.refuse('event, name, userId, properties.…, traits.… or context.…', path)
  requirePath(reader, path)
  if (reader.peek().text !== ',') reader.refuse(`a comma, then a text: ${name}(${path.text}, "…")`)
  reader.take()
  const text = reader.take()
  if (text.kind !== 'text') reader.refuse('a text in double quotes', text)
  requireDoubleQuotes(reader, text)
  if (name === 'match' && !/^"(?:\*[^*]*|[^*]*\*)"$/.test(text.text))
    reader.refuse('a text that begins or ends with *, and has no other *', text)
  if (reader.peek().text !== ')') reader.refuse('a closing parenthesis')
  reader.take()
  // Segment ends the outer parentheses together with those of the function.
  if (isInside && reader.peek().text !== ')')
    reader.refuse(`the end of the parentheses: ${name}(…) must be last in them`)
}

function requirePath(reader: Reader, token: FqlToken): void {
  const [first = '', ...rest] = token.text.split('.')
  const isObject = first === 'properties' || first === 'traits' || first === 'context'
  const isKnown = members.has(first) ? rest.length === 0 : isObject && rest.length > 0
  if (!isKnown || rest.some((part) => reserved.has(part))) reader.refuse(condition, token)
}

const isConnective = ({ text }: FqlToken): boolean => /^(?:and|or)$/i.test(text)

function requireDoubleQuotes(reader: Reader, { kind, text, ...place }: FqlToken): void {
  // Segment compares with the single quotes as a part of the text.
  if (kind === 'text' && text.startsWith("'")) reader.refuse('double quotes', { kind, text, ...place })
}
