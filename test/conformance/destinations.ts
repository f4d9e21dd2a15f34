import { isDeepStrictEqual } from 'node:util'
import type { Event, JsonObject, JsonValue } from '@sluice/core'
import {
  type BatchEntry,
  type BatchedEvents,
  type BatchLimits,
  batchEntries,
  batchEvents,
  builtInDestinations,
  configurationError,
  createDestinationRegistry,
  type DeliveryRequest,
  type DestinationDefinition,
  instrumentationError,
  isMappingError,
  type MappingContext,
  type MappingError,
  mapEvent,
  messageTypeOf,
  parseSettings,
  streamMessages,
} from '@sluice/destinations'
import { runDataDelivery, runDeleteUsers } from './destination-replies.ts'
import type { Deviations } from './deviations.ts'
import { difference } from './difference.ts'
import { answered, recordedAnswer } from './recorded-answers.ts'
import type { Row, RowRunner } from './row.ts'

/** An event on its way to a destination, in the format of rows. */
interface Job {
  readonly message: Event
  readonly metadata?: JsonObject & {
    readonly jobId?: number
    readonly userId?: string
    readonly secret?: JsonObject
    readonly dontBatch?: boolean
  }
  readonly destination: {
    readonly ID?: string
    readonly Config?: unknown
    readonly deliveryAccount?: { readonly accountDefinitionName?: string }
  }
  readonly connection?: JsonObject
}

interface RecordedError {
  readonly statusCode: number
  readonly error: string
  readonly errorType?: string
}

interface RecordedOutput {
  readonly statusCode: number
  readonly output?: unknown
  readonly outputs?: readonly ({ readonly output: unknown } | RecordedError)[]
}

interface RecordedBatch extends Partial<RecordedError> {
  readonly batchedRequest?: unknown
  readonly batched?: boolean
  readonly metadata?: readonly { readonly jobId?: number }[]
  readonly statTags?: { readonly errorType?: string }
}

const features = {
  processor: runProcessor,
  router: runRouter,
  batch: runBatch,
  dataDelivery: runDataDelivery,
  deleteUsers: runDeleteUsers,
} as const

/**
 * Rows of `destinations`: what a destination returns for an event, many events, a reply, or users to be deleted. They
 * run only through the public functions of `@sluice/destinations`. A success agrees when every request is deeply equal,
 * an error when status and type are equal.
 */
export function createDestinationRunner(deviations: Deviations): RowRunner {
  const registry = createDestinationRegistry(builtInDestinations)
  return {
    groupOf: ({ name, feature }) => (String(feature) in features ? `${name} ${feature}` : undefined),
    close: async () => {},
    async run(row) {
      const definition = registry.get(String(row['name']))
      if (!definition) return `there is no destination ${row['name']} yet`
      // Its errors would agree with those of rows, but for the wrong reason.
      if (definition.supports.length === 0 && row['feature'] !== 'deleteUsers')
        return `${definition.type} takes no events yet`
      return features[row['feature'] as keyof typeof features](row, definition, deviations.addedBy(String(row['name'])))
    },
  }
}

function runProcessor(row: Row, definition: DestinationDefinition, added: readonly string[]): string {
  const job = row['event'] as Job
  const expected = row['expected'] as RecordedOutput | RecordedError
  const mapped = mapJob(row, definition, job)
  if (isMappingError(mapped)) {
    if (!('error' in expected)) return unexpected(mapped)
    const found = errorDifference(expected, mapped)
    return found === '' || isAccepted(definition, job.message) ? found : errorDifference(expected, typeRefused)
  }
  if ('error' in expected) return `wanted the error ${expected.error}, got ${mapped.length} requests`
  const recorded = expected.outputs ?? [{ output: expected.output }]
  const wanted = recorded.map((each) => ('output' in each ? each.output : each))
  return difference(wanted, plain(mapped.map(comparable)), '', added)
}

/** RudderStack's streaming destinations map to messages, which are in the body of ours. */
function comparable(request: DeliveryRequest): unknown {
  return streamMessages(request)[0] ?? request
}

const typeRefused = instrumentationError('its type is not accepted')

/**
 * Sluice checks settings before the first event, RudderStack while it maps an event. When both the settings and the type
 * of the event are wrong, either error agrees.
 */
function isAccepted(definition: DestinationDefinition, event: Event): boolean {
  const type = messageTypeOf(event, definition)
  return definition.takesAnyType === true || (type !== undefined && definition.supports.includes(type))
}

function mapJob(row: Row, definition: DestinationDefinition, job: Job): readonly DeliveryRequest[] | MappingError {
  const settings = settingsOf(row, definition, job)
  if (isMappingError(settings)) return settings
  return answered(row, (answers) => mapEvent(definition, job.message, settings, { ...contextOf(row, job), answers }))
}

/**
 * Jobs of one destination are batched together; rows may have several destinations. Some rows give jobs of one
 * destination different settings, which a real destination never has: these are mapped separately and batched together.
 */
function runRouter(row: Row, definition: DestinationDefinition, added: readonly string[]): string {
  const { input: jobs } = bodyOf(row['input']) as { readonly input: readonly Job[] }
  const { output: wanted } = bodyOf(row['output']) as { readonly output: readonly RecordedBatch[] }
  if (!Array.isArray(jobs)) return 'the input is no list of events'
  const got = byDestination(jobs).flatMap((group): readonly RecordedBatch[] => {
    const hasOneConfig = group.every(({ destination }) => isDeepStrictEqual(destination, group[0]?.destination))
    const { batches, errors } = hasOneConfig
      ? batchTogether(row, definition, group)
      : batchApart(row, definition, group)
    return [
      ...batches.map((batch) => recordedBatch(batch, group)),
      ...errors.map(({ index, error }) => recordedError(error, group[index] as Job)),
    ]
  })
  return batchesDifference(wanted, got, added)
}

function batchTogether(row: Row, definition: DestinationDefinition, jobs: readonly Job[]): BatchedEvents {
  const settings = settingsOf(row, definition, jobs[0] as Job)
  if (isMappingError(settings)) {
    const errorOf = ({ message }: Job) => (isAccepted(definition, message) ? settings : typeRefused)
    return { batches: [], errors: jobs.map((job, index) => ({ index, error: errorOf(job) })), asks: [] }
  }
  const answers = new Map<string, JsonValue | MappingError>()
  const inputs = jobs.map((job) => ({ ...entryOf(job), context: { ...contextOf(row, job), answers } }))
  for (;;) {
    const batched = batchEvents(definition, inputs, settings, limitsOf(row))
    if (batched.asks.length === 0) return batched
    for (const { ask } of batched.asks) answers.set(ask.key, recordedAnswer(row, ask))
  }
}

function batchApart(row: Row, definition: DestinationDefinition, jobs: readonly Job[]): BatchedEvents {
  const mapped = jobs.map((job, index) => ({ index, job, requests: mapJob(row, definition, job) }))
  const errors = mapped.flatMap(({ index, requests: error }) => (isMappingError(error) ? [{ index, error }] : []))
  const entries = mapped.flatMap(({ index, job, requests }): readonly BatchEntry[] =>
    isMappingError(requests) || requests.length === 0 ? [] : [{ index, ...entryOf(job), requests }],
  )
  const settings = settingsOf(row, definition, jobs[0] as Job)
  return isMappingError(settings)
    ? { batches: [], errors, asks: [] }
    : { batches: batchEntries(definition, entries, settings, limitsOf(row)), errors, asks: [] }
}

function entryOf({ message, metadata }: Job) {
  return { event: message, userKey: metadata?.userId ?? '', isAlone: metadata?.dontBatch === true }
}

/** Like a router row, but the messages are requests already. */
function runBatch(row: Row, definition: DestinationDefinition, added: readonly string[]): string {
  const { input: jobs } = bodyOf(row['input']) as { readonly input: readonly Job[] }
  const got = byDestination(jobs).flatMap((group) => {
    const settings = packingSettingsOf(row, definition, group[0] as Job)
    const entries = group.map((job, index): BatchEntry => {
      const request = job.message as unknown as DeliveryRequest
      return { index, ...entryOf(job), requests: [request] }
    })
    return batchEntries(definition, entries, settings, limitsOf(row)).map((batch) => recordedBatch(batch, group))
  })
  return batchesDifference(bodyOf(row['output']) as readonly RecordedBatch[], got, added)
}

function byDestination(jobs: readonly Job[]): readonly (readonly Job[])[] {
  const groups = new Map<string, Job[]>()
  for (const job of jobs) {
    const id = job.destination.ID ?? JSON.stringify(job.destination)
    groups.set(id, [...(groups.get(id) ?? []), job])
  }
  return [...groups.values()]
}

function recordedBatch(
  { requests, indexes, batched }: ReturnType<typeof batchEntries>[number],
  jobs: readonly Job[],
): RecordedBatch {
  const [request, ...others] = (plain(requests) as readonly unknown[]).map((each) => withJobIds(each, jobs))
  const metadata = indexes.map((index) => jobs[index]?.metadata ?? {})
  return { batchedRequest: others.length > 0 ? [request, ...others] : request, metadata, batched, statusCode: 200 }
}

/**
 * Marks changes of HubSpot's objects as RudderStack does, by the id of their first job. Sluice has no ids of jobs: it
 * marks them by the indexes of their events.
 */
function withJobIds(request: unknown, jobs: readonly Job[]): unknown {
  const { body } = Object(request) as { readonly body?: { readonly JSON?: JsonObject } }
  const inputs = body?.JSON?.['inputs']
  if (!Array.isArray(inputs)) return request
  const marked = inputs.map((input: JsonObject) => {
    const { objectWriteTraceId: trace } = input
    if (typeof trace !== 'string') return input
    const jobId = jobs[Number.parseInt(trace, 10)]?.metadata?.jobId
    return { ...input, objectWriteTraceId: String(jobId) }
  })
  return { ...Object(request), body: { ...body, JSON: { ...body?.JSON, inputs: marked } } }
}

function recordedError({ statusCode, errorType, message }: MappingError, { metadata = {} }: Job): RecordedBatch {
  return { metadata: [metadata], batched: false, statusCode, error: message, statTags: { errorType } }
}

/** Batches agree in any order: the order of destinations does not affect what is sent. */
function batchesDifference(
  wanted: readonly RecordedBatch[],
  got: readonly RecordedBatch[],
  added: readonly string[],
): string {
  const left = [...got]
  for (const each of wanted) {
    const index = left.findIndex((other) => batchDifference(each, other, added) === '')
    if (index >= 0) left.splice(index, 1)
    else {
      const closest = left.find((other) => String(jobIds(other)) === String(jobIds(each))) ?? left[0]
      return `jobs ${jobIds(each)}: ${closest ? batchDifference(each, closest, added) : 'there is no such batch'}`
    }
  }
  return left.length === 0 ? '' : `jobs ${left.map(jobIds).join('; ')} were not wanted`
}

function batchDifference(wanted: RecordedBatch, got: RecordedBatch, added: readonly string[]): string {
  const comparable = (each: RecordedBatch) => ({
    jobIds: jobIds(each),
    // With 299, RudderStack has sent everything while it mapped the event, and repeats the last requests.
    statusCode: each.statusCode === 299 ? 200 : (each.statusCode ?? 200),
    ...(each.error === undefined ? { request: loneOf(each.batchedRequest) } : { errorType: each.statTags?.errorType }),
    batched: wanted.batched === undefined ? undefined : each.batched,
  })
  return difference(comparable(wanted), comparable(got), '', added)
}

/** A list of one request equals that request, and a blank user equals none. */
function loneOf(requests: unknown): unknown {
  if (Array.isArray(requests)) return requests.length === 1 ? loneOf(requests[0]) : requests.map(withoutBlankUser)
  return withoutBlankUser(requests)
}

function withoutBlankUser(request: unknown): unknown {
  const { userId, ...others } = Object(request) as JsonObject
  return userId === '' ? others : request
}

function jobIds({ metadata = [] }: RecordedBatch): readonly number[] {
  return metadata.map(({ jobId }) => jobId ?? 0).sort((a, b) => a - b)
}

function errorDifference(wanted: RecordedError, { statusCode, errorType }: MappingError): string {
  return difference({ statusCode: wanted.statusCode, errorType: wanted.errorType }, { statusCode, errorType })
}

function unexpected({ errorType, message }: MappingError): string {
  return `wanted requests, got the ${errorType} error ${message}`
}

function settingsOf({ env }: Row, definition: DestinationDefinition, { destination }: Job): JsonObject | MappingError {
  const parsed = parseSettings(definition, {
    ...connectionSettings[definition.type],
    ...Object(destination.Config),
    ...settingsByEnv(env),
    ...settingsByAccount(destination),
    ...settingsOfReference[definition.type],
  })
  if (parsed.ok) return parsed.settings
  const problems = parsed.problems.map(({ path, allowed }) => `${path} must be ${allowed}`)
  return configurationError(problems.join('; '))
}

const keys = { accessKeyID: 'id', accessKey: 'secret' }

/** Rows of streaming destinations leave out the settings that only connections need. */
const connectionSettings: Readonly<Record<string, JsonObject>> = {
  AZURE_EVENT_HUB: { bootstrapServer: 'hub.test:9093', eventHubsConnectionString: 'secret' },
  CONFLUENT_CLOUD: { bootstrapServer: 'kafka.test:9092', apiKey: 'key', apiSecret: 'secret' },
  GOOGLEPUBSUB: { projectId: 'project-1' },
  KAFKA: { hostName: 'kafka.test', port: '9092' },
  KINESIS: { ...keys, stream: 'stream' },
}

/** Behaviour that RudderStack always has, and Sluice only when a setting enables it. */
const settingsOfReference: Readonly<Record<string, JsonObject>> = {
  ADJ: { sendLimitedAdvertisingIds: true },
  AF: { sendLimitedAdvertisingIds: true },
  BRANCH: { sendLimitedAdvertisingIds: true },
  SINGULAR: { sendLimitedAdvertisingIds: true },
  // Rows have a placeholder that is no key.
  GOOGLEPUBSUB: { credentials: '{"client_email":"a@b.test","private_key":"-----BEGIN PRIVATE KEY-----"}' },
  // RudderStack reads its connected app from the environment, which had none.
  SALESFORCE: { clientId: 'undefined', clientSecret: 'undefined' },
  WEBHOOK: { allowEventAddress: true, trustedOrigins: ['https://www.google.com'] },
}

/** RudderStack chooses between two APIs of Google by the kind of the account; Sluice by a setting. */
function settingsByAccount({ deliveryAccount }: Job['destination']): JsonObject {
  return deliveryAccount?.accountDefinitionName?.endsWith('_DM_OAUTH') ? { api: 'dataManager' } : {}
}

/** Values that RudderStack reads from its environment are settings here. */
function settingsByEnv(env: unknown): JsonObject {
  return Object(env)['CUSTOMERIO_BATCHING_FRAMEWORK_ENABLED_WORKSPACE_IDS'] === 'ALL' ? { apiVersion: 'v2' } : {}
}

/** Rows that begin with requests omit settings that are needed only to build requests. */
function packingSettingsOf(row: Row, definition: DestinationDefinition, job: Job): JsonObject {
  const settings = settingsOf(row, definition, job)
  return isMappingError(settings) ? ((job.destination.Config ?? {}) as JsonObject) : settings
}

function contextOf({ clock }: Row, { metadata, connection }: Job): MappingContext {
  const now = typeof clock === 'string' || typeof clock === 'number' ? new Date(clock).getTime() : Date.now()
  return { now, tokens: metadata?.secret ? metadata.secret : undefined, connection }
}

/** A row sets limits under its own names; each is a number of items per request. */
function limitsOf({ fixed }: Row): BatchLimits {
  const { limits = {} } = (fixed ?? {}) as { readonly limits?: Readonly<Record<string, number>> }
  const counts = Object.values(limits)
  return counts.length === 0 ? {} : { itemsMax: Math.min(...counts) }
}

function bodyOf(part: unknown): unknown {
  return (part as { readonly body: unknown }).body
}

/** As it would be written as JSON: without members that are undefined. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
