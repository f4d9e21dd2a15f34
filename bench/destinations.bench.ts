import assert from 'node:assert/strict'
import type { Event, JsonObject } from '@sluice/core'
import {
  builtInDestinations,
  type DestinationDefinition,
  isKnown,
  isMappingError,
  type Mapping,
  mapEvent,
  mapping,
  parseSettings,
} from '@sluice/destinations'
import type { BenchCase, CaseResult, OpenCase } from './bench-case.ts'
import { type FigureResult, runBench } from './bench-kit.ts'
import { isComparable, toDirectives, transform } from './mapping-kit.ts'
import { measureInRounds } from './measure-in-rounds.ts'
import { interpretRules } from './rule-interpreter.ts'

/** Number of mappings for which the ways to apply rules are compared: those with most rules say most. */
const mappingsCompared = 10
const wholeMapping = 'one event to its requests, '

/** The corpus is made of track events. */
const trackDestinations = builtInDestinations.filter(({ supports }) => supports.includes('track'))

/** Everything between an event and its requests. Answers of the product are known. */
function mappingCase(definition: DestinationDefinition, corpus: readonly Event[]): BenchCase {
  return {
    name: `${wholeMapping}${definition.type}`,
    open: () => {
      const settings = settingsOf(definition)
      const answers = new Map(Object.entries(exampleOf(definition)?.answers ?? {}))
      const mapWith = (event: Event) =>
        mapEvent(definition, event, settings, { now: Date.parse(String(event['timestamp'])) || 0, answers })
      const events = acceptedEvents(definition, corpus, (event) => isKnown(mapWith(event)))
      const contexts = new Map(events.map((event) => [event, { now: Date.parse(String(event['timestamp'])), answers }]))
      const map = (event: Event) => mapEvent(definition, event, settings, contexts.get(event) ?? { now: 0, answers })
      return timing(events, map, () => {
        const refused = events.map(map).filter((mapped) => !isKnown(mapped))
        assert.ok(
          refused.length < events.length / 10,
          `${definition.type} refuses ${refused.length}: ${JSON.stringify(refused[0])}`,
        )
      })
    },
  }
}

/**
 * Returns the events of the corpus. For destinations that need others, such as those of an app, each is completed with
 * the members of an example.
 */
function acceptedEvents(
  definition: DestinationDefinition,
  corpus: readonly Event[],
  isAccepted: (event: Event) => boolean,
): readonly Event[] {
  if (corpus.filter(isAccepted).length > corpus.length * 0.9) return corpus
  const example = exampleOf(definition)?.event
  return corpus.map((event) => ({
    ...event,
    ...example,
    properties: { ...Object(event['properties']), ...Object(example?.['properties']) },
    context: { ...Object(event['context']), ...Object(example?.['context']) },
  }))
}

/** Returns its first track example that has requests, otherwise the first that has. */
function exampleOf({ examples }: DestinationDefinition) {
  const sending = examples.filter((each) => 'requests' in each && each.requests.length > 0)
  return sending.find(({ event }) => event['type'] === 'track') ?? sending[0]
}

/** Of the example of `exampleOf`. */
function settingsOf(definition: DestinationDefinition): JsonObject {
  const parsed = parseSettings(definition, exampleOf(definition)?.settings ?? {})
  assert.ok(parsed.ok, `an example of ${definition.type} has settings that are wrong`)
  return parsed.settings
}

/** Returns the largest mapping of such events. */
function largestMapping(definition: DestinationDefinition, events: readonly Event[]): Mapping | undefined {
  const settings = settingsOf(definition)
  return Object.values(definition.mappings ?? {})
    .filter((map) => !events.some((event) => isMappingError(map(event, settings))))
    .sort((a, b) => b.rules.length - a.rules.length)[0]
}

/** Applies a mapping compiled, rule by rule, and as far as Segment's directives can say it. */
function ruleCases(
  definition: DestinationDefinition,
  compiled: Mapping,
  events: readonly Event[],
): readonly BenchCase[] {
  const settings = settingsOf(definition)
  const { rules } = compiled
  const copying = rules.filter(isComparable)
  const compiledCopying = mapping(copying)
  const directives = toDirectives(copying)
  const compare = (name: string, map: (event: Event) => unknown, same: (event: Event) => unknown): BenchCase => ({
    name: `${definition.type}, ${name}`,
    open: () => timing(events, map, () => assert.deepEqual(events.map(same), events.map(map))),
  })
  const interpret = (event: Event) => interpretRules(rules, event, settings)
  const compile = (event: Event) => compiled(event, settings)
  const copy = (event: Event) => compiledCopying(event, settings)
  const direct = (event: Event) => transform(directives, event)
  return [
    compare(`${rules.length} rules compiled`, compile, interpret),
    compare(`${rules.length} rules interpreted`, interpret, compile),
    compare(`${copying.length} copying rules compiled`, copy, (event) => withoutBlanks(direct(event))),
    compare(`${copying.length} copying rules by @segment/actions-core`, direct, direct),
  ]
}

/** Segment sets what is blank; our rules do not. */
function withoutBlanks(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== '' && value !== null))
}

/** What is mapped is kept for a moment, so that it is really made. */
let mappedLast: unknown

function timing(events: readonly Event[], map: (event: Event) => unknown, check: () => void): OpenCase {
  return {
    events: events.length,
    check,
    run: () => {
      for (const event of events) mappedLast = map(event)
      assert.ok(mappedLast)
    },
  }
}

/** One line for all destinations: what the typical one costs, and the most expensive one. */
function summarize(cases: readonly CaseResult[]): readonly FigureResult[] {
  const sorted = cases.filter(({ name }) => name.startsWith(wholeMapping)).sort((a, b) => a.rt - b.rt)
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  const last = sorted.at(-1)
  if (low === undefined || high === undefined || last === undefined) return []
  const maximum = `maximum ${last.rt.toFixed(2)} RT (${last.name.slice(wholeMapping.length)})`
  const name = `${wholeMapping}median of ${sorted.length} destinations; ${maximum}`
  return [{ name, unit: 'RT', goal: 'median at most 0.5, maximum at most 2', value: (low.rt + high.rt) / 2 }]
}

await runBench(
  'What does mapping an event to a destination cost, and what does compiling its rules gain?',
  ({ events }) => {
    const mappings = trackDestinations.flatMap((definition) => {
      const compiled = largestMapping(definition, events)
      return compiled ? [{ definition, compiled }] : []
    })
    const largest = mappings
      .sort((a, b) => b.compiled.rules.length - a.compiled.rules.length)
      .slice(0, mappingsCompared)
    return [
      ...trackDestinations.map((definition) => mappingCase(definition, events)),
      ...largest.flatMap(({ definition, compiled }) => ruleCases(definition, compiled, events)),
    ]
  },
  [],
  summarize,
  measureInRounds,
)
