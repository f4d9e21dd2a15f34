import { rename, rm, writeFile } from 'node:fs/promises'
import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { ProjectError } from '../project/project.ts'
import { isYaml, makeFolderOf, readCaseFile, shownPath } from '../project/project-files.ts'
import { insidePair } from './inside-pair.ts'
import { isMatcher, matches, memberOf } from './matches.ts'
import { isPlaceholder, placeholderKinds, unknownPlaceholder } from './placeholder.ts'

/** Content of an expectation file. */
interface ExpectedFile {
  readonly items: readonly JsonValue[]
  /** Whether the file has one object instead of a list. */
  readonly isSingle: boolean
}

/**
 * Reads the expected results: a list, or a single object.
 * @returns undefined when the file does not exist.
 */
export async function readExpected(root: string, file: string): Promise<ExpectedFile | undefined> {
  const value = (await readCaseFile(root, file)) as JsonValue | undefined
  if (value === undefined) return undefined
  const at = shownPath(root, file)
  if (!Array.isArray(value) && !isJsonObject(value))
    throw new ProjectError(`${at}: must be a list of what is to come out, or one object`)
  const unknown = unknownPlaceholder(value)
  if (unknown)
    throw new ProjectError(
      `${at}: ${JSON.stringify(unknown)} is no placeholder; known are ${Object.keys(placeholderKinds).join(', ')}`,
    )
  return Array.isArray(value) ? { items: value, isSingle: false } : { items: [value], isSingle: true }
}

/** Writes the actual results as the expected ones. Keeps matching placeholders and the order of keys. */
export async function writeExpected(
  root: string,
  file: string,
  before: ExpectedFile | undefined,
  actual: readonly JsonValue[],
): Promise<void> {
  const items = keepForm(before?.items ?? [], actual)
  const value = before?.isSingle && Array.isArray(items) && items.length === 1 ? items[0] : items
  await makeFolderOf(root, file)
  // Renamed into place, so that a link is replaced instead of followed, and readers never see part of a file.
  const draft = `${file}.${process.pid}.tmp`
  try {
    const text = isYaml(file) ? (await import('yaml')).stringify(value) : `${JSON.stringify(value, null, 2)}\n`
    await writeFile(draft, text, { flag: 'wx' })
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * Returns the actual results in the form of the earlier expectation: its order of keys, and its matching placeholders.
 */
export function keepForm(before: JsonValue | undefined, actual: JsonValue): JsonValue {
  if (before === undefined) return actual
  if (isPlaceholder(before)) return matches(before, actual) ? before : actual
  const inside = insidePair(before, actual)
  if (inside === undefined) return actual
  if (inside.kind === 'list')
    return inside.pairs.flatMap((pair) => (pair.actual === undefined ? [] : [keepForm(pair.expected, pair.actual)]))
  return Object.fromEntries(
    inside.pairs.flatMap((pair) =>
      pair.actual === undefined ? [] : [[pair.key, keepForm(pair.expected, pair.actual)]],
    ),
  )
}

/** Members of a request that are omitted when they have these values. */
const usual: JsonObject = { version: '1', type: 'REST', params: {}, files: {}, headers: {}, body: {}, userId: '' }

/** Returns a delivery request as it is compared and written: without members that are empty or always the same. */
export function compactRequest(request: JsonValue): JsonValue {
  if (!isJsonObject(request)) return request
  const { body } = request
  const filled =
    isJsonObject(body) && !isPlaceholder(body) && !isMatcher(body) ? withoutMembers(body, () => ({})) : body
  return withoutMembers({ ...request, ...(body !== undefined && { body: filled }) }, (key) => memberOf(usual, key))
}

function withoutMembers(object: JsonObject, dull: (key: string) => JsonValue | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([key, value]) => {
      const left = dull(key)
      return value !== undefined && (left === undefined || !matches(left, value))
    }),
  )
}
