import { isJsonObject, type JsonObject, type JsonValue, type PathNode, parsePaths, stepInto } from '@sluice/core'
import {
  createPiiFinder,
  defaultPiiReplacements,
  maskText,
  type PiiFinder,
  type PiiKind,
  type PiiReplacements,
  piiKinds,
} from '@sluice/pii'
import { checkOptions } from '../check-options.ts'
import { kindOf } from '../text-arguments.ts'

/** Most values (strings, numbers, lists, objects …) in one call, because the host visits each. */
const valuesMax = 100_000
/** Most characters of all strings in one call: half a second of work for the most hostile ones. */
const charsMax = 1024 * 1024
const depthMax = 1_000
const pathsMax = 100
/** Longest path. It also limits how many nodes are examined for each key of a value. */
const pathCharsMax = 500
const replacementCharsMax = 200

/** Returns the changes that mask personal data in a value; null when there are none. See `piiPart`. */
export function piiEdits(value: JsonValue, options: JsonValue | undefined): JsonValue {
  return editsOf(value, readOptions(options)) ?? null
}

interface MaskOptions {
  readonly find: PiiFinder
  readonly replacements: PiiReplacements
  /** undefined: all values are examined. */
  readonly only: PathNode | undefined
  readonly skip: PathNode | undefined
}

const defaults: MaskOptions = {
  find: createPiiFinder(new Set(piiKinds)),
  replacements: defaultPiiReplacements,
  only: undefined,
  skip: undefined,
}

function readOptions(options: JsonValue | undefined): MaskOptions {
  checkOptions('mask', options, ['detect', 'replacement', 'only', 'skip'])
  if (!isJsonObject(options)) return defaults
  const only = textList(options['only'], 'only')
  const skip = textList(options['skip'], 'skip')
  return {
    find: createPiiFinder(new Set(textList(options['detect'], 'detect')?.map(knownKind) ?? piiKinds)),
    replacements: readReplacements(options['replacement']),
    only: only && parsePaths(only),
    skip: skip && parsePaths(skip),
  }
}

function knownKind(name: string): PiiKind {
  const kind = piiKinds.find((known) => known === name)
  if (kind === undefined) throw new TypeError(`mask: detect knows ${piiKinds.join(', ')}, not ${name}`)
  return kind
}

function textList(value: JsonValue | undefined, key: string): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) throw new TypeError(`mask: ${key} must be a list of texts, not ${kindOf(value)}`)
  if (value.length > pathsMax) throw new RangeError(`mask: ${key} may have at most ${pathsMax} items`)
  return value.map((item: JsonValue) => {
    if (typeof item !== 'string' || item === '' || item.length > pathCharsMax)
      throw new TypeError(`mask: ${key} must be a list of texts of 1 to ${pathCharsMax} characters`)
    return item
  })
}

function readReplacements(value: JsonValue | undefined): PiiReplacements {
  if (value === undefined || value === null) return defaultPiiReplacements
  const replacements = { ...defaultPiiReplacements }
  if (isJsonObject(value)) {
    checkOptions('mask: replacement', value, piiKinds)
    for (const kind of piiKinds) replacements[kind] = replacementText(value[kind] ?? replacements[kind])
  } else for (const kind of piiKinds) replacements[kind] = replacementText(value)
  return replacements
}

function replacementText(value: JsonValue): string {
  if (typeof value === 'string' && value.length <= replacementCharsMax) return value
  throw new TypeError(`mask: replacement must be a text of at most ${replacementCharsMax} characters, or one per kind`)
}

/** A change of a value: its new text, or the changes of its members by key or index. */
type Edit = string | { readonly [key: string]: Edit }

/**
 * Returns only the changes, because writing a whole event into the guest takes longer than masking it. Sharing these
 * changes with the guest is safe: it applies them to a copy (see moduleText).
 */
function editsOf(value: JsonValue, options: MaskOptions): Edit | undefined {
  let values = 0
  let chars = 0

  const walk = (current: JsonValue, depth: number, chosen: boolean, only: Nodes, skip: Nodes): Edit | undefined => {
    values += 1
    if (values > valuesMax) throw new RangeError(`mask takes at most ${valuesMax} values in one call`)
    if (depth > depthMax) throw new RangeError(`mask takes values of at most ${depthMax} levels`)
    if (typeof current === 'string') {
      chars += current.length
      if (chars > charsMax) throw new RangeError(`mask takes at most ${charsMax} characters in one call`)
      return chosen ? maskText(current, options.find, options.replacements) : undefined
    }
    if (typeof current !== 'object' || current === null) return undefined

    let edits: Record<string, Edit> | undefined
    const isList = Array.isArray(current)
    const members = current as JsonObject
    for (const key of Object.keys(members)) {
      const member = members[key]
      if (member === undefined) continue
      // Items of a list have the path of the list.
      const onlyBelow = isList ? only : stepInto(only, key)
      const skipBelow = isList ? skip : stepInto(skip, key)
      if (!isList && skipBelow.some(endsHere)) continue
      const edit = walk(member, depth + 1, chosen || (!isList && onlyBelow.some(endsHere)), onlyBelow, skipBelow)
      if (edit === undefined) continue
      edits ??= {}
      if (key === '__proto__') Object.defineProperty(edits, key, { ...ownValue, value: edit })
      else edits[key] = edit
    }
    return edits
  }

  const nodes = (root: PathNode | undefined): Nodes => (root === undefined ? [] : [root])
  return walk(value, 0, options.only === undefined, nodes(options.only), nodes(options.skip))
}

const endsHere = (node: PathNode): boolean => node.ends
type Nodes = readonly PathNode[]
// An assignment to `__proto__` would set the prototype instead.
const ownValue = { writable: true, enumerable: true, configurable: true }
