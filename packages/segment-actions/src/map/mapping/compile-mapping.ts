import { type Event, isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { instrumentationError, type MappingError } from '@sluice/destinations/kit'
import { directives } from './directives/directives.ts'
import {
  type EvaluateLiquid,
  type MappingCompiler,
  type Place,
  type Resolve,
  resolveToUndefined,
} from './mapping-compiler.ts'
import { type MappingProblem, shownValue } from './mapping-problem.ts'
import { placeBelow } from './place-below.ts'

/** Makes the payload of an action from an event in Segment's shape. Undefined if the mapping finds nothing. */
export type CompiledMapping = (event: Event) => JsonValue | undefined | MappingError

export type MappingResult =
  | { readonly ok: true; readonly map: CompiledMapping }
  | { readonly ok: false; readonly problems: readonly MappingProblem[] }

export interface MappingOptions {
  /** Renders `@liquid`. Without it, a mapping with that directive has a problem. */
  readonly evaluateLiquid?: EvaluateLiquid | undefined
}

const depthMax = 32 // nodes inside nodes; the deepest mapping of Segment's definitions has 8
const nodesMax = 10_000 // nodes; the largest mapping of Segment's definitions has some 300
const problemsMax = 50 // problems; more than a user corrects at once
const rootDirective = '__segment_internal_directive'

/**
 * Compiles a mapping of Segment: an object whose directives (`@path`, `@if`, …) are replaced by values of the event.
 *
 * The result is that of `transform` in `@segment/actions-core`, with two differences, both for safety: paths reach only
 * own members of objects, and members named `__proto__` are left out. It shares values with the event and the mapping,
 * so it must not be modified. An event for which `transform` throws results in a `MappingError`.
 *
 * Mistakes are found here, also where Segment would find them only for some events: unknown directives, missing or wrong
 * options, more than 10,000 nodes, more than 32 of them inside each other.
 */
export function compileMapping(mapping: JsonObject, { evaluateLiquid }: MappingOptions = {}): MappingResult {
  const problems: MappingProblem[] = []
  /** A function is called once for each event and does not wait, so one place for the failure is enough. */
  let failure: string | undefined
  const resolve = createCompiler(problems, evaluateLiquid, (message) => {
    failure ??= message
  }).compileRoot(mapping, { path: '', depth: 0, keepsUndefined: false })
  if (problems.length > 0) return { ok: false, problems }
  return {
    ok: true,
    map: (event) => {
      failure = undefined
      try {
        const payload = resolve(event) as JsonValue | undefined
        return failure === undefined ? payload : instrumentationError(failure)
      } catch (error) {
        // The stack overflows. Ingestion limits the depth of events, but not that of JSON text inside them.
        if (error instanceof RangeError) return instrumentationError('The event is nested too deeply to be mapped.')
        throw error
      }
    },
  }
}

function createCompiler(
  problems: MappingProblem[],
  evaluateLiquid: EvaluateLiquid | undefined,
  recordFailure: (message: string) => void,
): MappingCompiler {
  let nodes = 0
  const constants = new WeakMap<Resolve, { readonly value: unknown }>()
  const constant = (value: unknown): Resolve => {
    const resolve: Resolve = () => value
    constants.set(resolve, { value })
    return resolve
  }
  const compiler: MappingCompiler = {
    evaluateLiquid,
    compile(node, place) {
      nodes += 1
      // One problem is enough: what follows would have it as well.
      if (nodes > nodesMax)
        return nodes === nodesMax + 1 ? compiler.report(place, undefined, 'at most 10,000 nodes') : constant(undefined)
      if (place.depth > depthMax) return compiler.report(place, undefined, `at most ${depthMax} levels`)
      if (typeof node !== 'object' || node === null) return constant(node)
      if (Array.isArray(node)) return compileList(node, place)
      return compileObject(node as JsonObject, place)
    },
    compileRoot(mapping, place) {
      if (!isJsonObject(mapping) || !Object.hasOwn(mapping, rootDirective)) return compiler.compile(mapping, place)
      const { [rootDirective]: directive, ...members } = mapping
      const at = placeBelow(place, rootDirective)
      const [name = '', ...others] = isJsonObject(directive) ? Object.keys(directive) : []
      const options = isJsonObject(directive) ? directive[name] : undefined
      if (others.length > 0 || !isJsonObject(options))
        return compiler.report(at, directive, 'an object with one directive, whose options are an object')
      // It is replaced, but Segment checks it where the root is that of `@transform`.
      if (Object.hasOwn(options, 'mapping')) compiler.compile(options['mapping'], placeBelow(at, 'mapping'))
      return compiler.compile({ [name]: { ...options, mapping: members } }, at)
    },
    report(place, value, allowed) {
      if (problems.length < problemsMax) problems.push({ path: place.path, value: shownValue(value), allowed })
      return resolveToUndefined
    },
    fail(message) {
      recordFailure(message)
      return undefined
    },
  }

  function compileObject(node: JsonObject, place: Place): Resolve {
    const keys = Object.keys(node)
    const names = keys.filter((key) => key.startsWith('@'))
    const [name] = names
    if (name !== undefined) return compileDirective(name, node, keys, place)
    const members = keys
      // Assigned, it would be the prototype of the object.
      .filter((key) => key !== '__proto__')
      .map((key) => ({ key, resolve: compiler.compile(node[key], placeBelow(place, key)) }))
    const resolve = objectOf(members, place.keepsUndefined)
    return members.every((member) => constants.has(member.resolve)) ? constant(resolve(undefined)) : resolve
  }

  function compileList(node: readonly JsonValue[], place: Place): Resolve {
    const items = node.map((item, index) => compiler.compile(item, placeBelow(place, index)))
    const resolve: Resolve = (data) => items.map((item) => item(data))
    return items.every((item) => constants.has(item)) ? constant(resolve(undefined)) : resolve
  }

  function compileDirective(name: string, node: JsonObject, keys: readonly string[], place: Place): Resolve {
    const other = keys.find((key) => key !== name && key !== '_metadata')
    if (other !== undefined)
      return compiler.report(placeBelow(place, other), node[other], `no other key beside ${name}`)
    const directive = directives.get(name)
    const at = placeBelow(place, name)
    if (directive === undefined)
      return compiler.report(at, node[name], `a known directive: ${[...directives.keys()].join(', ')}`)
    return directive(node[name] ?? null, at, compiler)
  }

  return compiler
}

function objectOf(
  members: readonly { readonly key: string; readonly resolve: Resolve }[],
  keepsUndefined: boolean,
): Resolve {
  return (data) => {
    const object: Record<string, unknown> = {}
    for (const { key, resolve } of members) {
      const value = resolve(data)
      if (value !== undefined || keepsUndefined) object[key] = value
    }
    return object
  }
}
