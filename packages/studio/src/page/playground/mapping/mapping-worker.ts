import type { Event, JsonObject, SourcedEvent } from '@sluice/core'
import {
  createDestinationTransformStage,
  createPermissionStage,
  type DestinationDefinition,
  maskSettings,
  parseSettings,
  publicDefinition,
} from '@sluice/destinations/kit'
import { loadableDestinations, loadDestination } from '@sluice/destinations/load'
import type {
  DestinationName,
  DestinationWords,
  FromMappingWorker,
  MappedAll,
  MappingAnswers,
  MappingQuestion,
  Permitted,
  ToMappingWorker,
} from './mapping-question.ts'

/** Maps events to requests with the stages of production, beside the page, which can end this Worker. It sends nothing. */
const post = (message: FromMappingWorker): void => self.postMessage(message)

self.addEventListener('message', ({ data }: MessageEvent<ToMappingWorker>) => {
  const { id } = data
  answer(data).then(
    (found) => post({ id, answer: found }),
    (error: unknown) => post({ id, problem: error instanceof Error ? error.message : String(error) }),
  )
})

async function answer(question: MappingQuestion): Promise<MappingAnswers[keyof MappingAnswers]> {
  if (question.kind === 'list') return names()
  const definition = await loadDestination(question.type)
  if (definition === undefined) throw new Error(`There is no destination ${question.type}.`)
  if (question.kind === 'describe') return describe(definition)
  const given = question.settings as JsonObject
  if (question.kind === 'mask') return maskSettings(definition, given)
  const parsed = parseSettings(definition, given)
  if (!parsed.ok) return { problems: parsed.problems }
  const { settings } = parsed
  return question.kind === 'permit'
    ? permit(definition, settings, question.events)
    : map(definition, settings, question.events)
}

function names(): readonly DestinationName[] {
  return loadableDestinations
    .map(({ type, displayName }) => ({ type, displayName }))
    .sort((a, b) => a.displayName.localeCompare(b.displayName))
}

function describe(definition: DestinationDefinition): DestinationWords {
  // Functions cannot be sent to the page; a public description has none.
  const words = JSON.parse(JSON.stringify(publicDefinition(definition)))
  return { definition: words, settings: definition.examples[0]?.settings ?? {} }
}

async function permit(
  definition: DestinationDefinition,
  settings: JsonObject,
  events: readonly Event[],
): Promise<Permitted> {
  const outcomes = await createPermissionStage(definition, settings).run(events.map(sourced), unaborted)
  return { denied: outcomes.map((outcome) => (outcome.kind === 'drop' ? outcome.reason : undefined)) }
}

async function map(
  definition: DestinationDefinition,
  settings: JsonObject,
  events: readonly Event[],
): Promise<MappedAll> {
  const { type, displayName: name } = definition
  const destination = { id: 'playground', name, type }
  const stage = createDestinationTransformStage({ definition, settings, destination, clock: Date })
  const outcomes = await stage.run(events.map(sourced), unaborted)
  return {
    mapped: outcomes.map((outcome) => {
      if (outcome.kind === 'drop') return { kind: 'dropped', reason: outcome.reason }
      if (outcome.kind === 'fail') return { kind: 'failed', message: outcome.error.message }
      if (outcome.items.some(({ open }) => open !== undefined)) return { kind: 'asks' }
      return { kind: 'requests', requests: outcome.items.flatMap(({ requests }) => requests) }
    }),
  }
}

const unaborted = new AbortController().signal
const sourced = (event: Event): SourcedEvent => ({
  workspaceId: 'playground',
  sourceId: 'playground',
  writeKey: '',
  event,
})
