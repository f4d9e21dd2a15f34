/** A person of a list, with the identifiers that the list has. */
interface ListedPerson {
  readonly userId: string
  readonly [identifier: string]: string
}

/** What a list of people says, before anything is done with it. */
export interface PeopleList {
  /** Each person once, in the order of the list. */
  readonly people: readonly ListedPerson[]
  /** Lines whose userId came before. */
  readonly duplicates: number
  /** Lines that cannot be read, by their number from 1. */
  readonly malformed: readonly { readonly line: number; readonly reason: string }[]
  /** Names of the columns that are used; one for a list without a header. */
  readonly columns: readonly string[]
}

/** Names of the column of the userId in a header, in lower case and without `_`. */
const userIdNames = new Set(['userid', 'user', 'id'])
/** Other columns that are sent on: destinations delete by them, too. */
const identifierNames: Readonly<Record<string, string>> = {
  email: 'email',
  phone: 'phone',
  anonymousid: 'anonymousId',
}
/** Longest identifier, in characters, as the server has it. */
const lengthMax = 1_000

/**
 * Reads a list of people: a userId on each line, or CSV (RFC 4180, comma, semicolon or tab) whose header names the column
 * `userId` and perhaps `email`, `phone` and `anonymousId`. Empty lines are skipped.
 */
export function parsePeopleList(text: string): PeopleList {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((content, index) => ({ content, line: index + 1 }))
    .filter(({ content }) => content.trim() !== '')
  const header = headerOf(lines[0]?.content ?? '')
  const people = new Map<string, ListedPerson>()
  const malformed: { line: number; reason: string }[] = []
  let duplicates = 0
  for (const { content, line } of header ? lines.slice(1) : lines) {
    const found = header ? personOf(content, header) : alone(content)
    if (typeof found === 'string') malformed.push({ line, reason: found })
    else if (people.has(found.userId)) duplicates += 1
    else people.set(found.userId, found)
  }
  return {
    people: [...people.values()],
    duplicates,
    malformed,
    columns: header ? header.columns.filter((name) => name !== '') : ['userId'],
  }
}

interface Header {
  readonly separator: string
  /** What each column is; empty for one that is not used. */
  readonly columns: readonly string[]
}

function headerOf(content: string): Header | undefined {
  const separator = [',', ';', '\t'].find((each) => content.includes(each)) ?? ','
  const names = cellsOf(content, separator)?.map((name) => name.trim().toLowerCase().replaceAll(/[_ ]/g, '')) ?? []
  const userId = names.findIndex((name) => userIdNames.has(name))
  if (userId < 0) return undefined
  const columns = names.map((name, n) => (n === userId ? 'userId' : (identifierNames[name] ?? '')))
  return { separator, columns }
}

/** Returns the person of a line of CSV, or what is wrong with it: without the text, which may be personal. */
function personOf(content: string, { separator, columns }: Header): ListedPerson | string {
  const cells = cellsOf(content, separator)
  if (cells === undefined) return 'a quotation mark is not closed'
  if (cells.length !== columns.length)
    return `it has ${cells.length === 1 ? '1 value' : `${cells.length} values`}, the header has ${columns.length}`
  const members = columns.flatMap((name, n): [string, string][] => {
    const value = (cells[n] ?? '').trim()
    return name === '' || value === '' ? [] : [[name, value]]
  })
  const { userId, ...others } = Object.fromEntries(members)
  if (userId === undefined) return 'it has no userId'
  const wrong = [userId, ...Object.values(others)].map(problemOf).find((each) => each !== undefined)
  return wrong ?? { userId, ...others }
}

function alone(content: string): ListedPerson | string {
  if (/[,;\t]/.test(content)) return 'it has several values, and the first line names no column userId'
  const userId = content.trim()
  return problemOf(userId) ?? { userId }
}

function problemOf(value: string): string | undefined {
  if (value.length > lengthMax) return `a value is longer than ${lengthMax} characters`
  return value.includes('\uFFFD') || value.includes('\0') ? 'a value is not text in UTF-8' : undefined
}

/** Returns the values of a line of CSV; undefined when a quotation mark is not closed. */
function cellsOf(content: string, separator: string): readonly string[] | undefined {
  const cells: string[] = []
  let at = 0
  for (;;) {
    if (content[at] === '"') {
      const quoted = /^"((?:""|[^"])*)"/.exec(content.slice(at))
      if (quoted === null) return undefined
      cells.push((quoted[1] ?? '').replaceAll('""', '"'))
      at += quoted[0].length
      if (at < content.length && content[at] !== separator) return undefined
    } else {
      const end = content.indexOf(separator, at)
      cells.push(content.slice(at, end < 0 ? undefined : end))
      at = end < 0 ? content.length : end
    }
    if (at >= content.length) return cells
    at += 1
  }
}
