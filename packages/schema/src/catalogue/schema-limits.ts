/** What the catalogue learns at most. A source that sends anything at all costs this much and no more. */
export interface SchemaLimits {
  /** Event models per write key whose shapes are held ready in memory; the least recently seen makes room. */
  readonly modelsMax: number
  /** Event models per write key that are kept beside those; events of later ones are counted only. */
  readonly archivedModelsMax: number
  /** Versions per model that are held ready in memory; the least recently seen is archived, and served as before. */
  readonly versionsMax: number
  /** Versions per model that are kept beside those; later shapes count into one overflow version. */
  readonly archivedVersionsMax: number
  /** Keys of one event, the first in byte order; more are counted, not learnt. */
  readonly keysPerEventMax: number
  /** Keys in the schema of one model, and keys of one model with counters of values. */
  readonly keysPerModelMax: number
  /** Levels of one event; what lies deeper is not learnt. */
  readonly depthMax: number
  /** Characters of a key path; the value of a longer one is not learnt. */
  readonly pathLengthMax: number
  /** Characters of a value that are told apart; longer values are cut. */
  readonly valueLengthMax: number
  /** Bytes of the JSON text of one sample; a larger event is no sample. */
  readonly sampleBytesMax: number
  /** Sampled events of one version, and of one model. */
  readonly samplesMax: number
  /** Keys that one batch of events may teach; the rest of it is counted only. See `LearningAllowance`. */
  readonly newKeysPerBatchMax: number
  /** Keys that a workspace may teach per second, with a stock of ten seconds for the time after a start. */
  readonly newKeysPerSecondMax: number
  /** Bytes that all counters of values take in the memory of one process, by estimate. */
  readonly valueMemoryBytesMax: number
  /** Bytes of the counters of one version, or one model, in the store; the rarest values give way. */
  readonly valueBytesMax: number
}

/**
 * 200 models, 20 versions, 5 samples, 2,000 counters, 500 keys of an event and 10 KB are RudderStack's. Learning a key takes
 * 10 to 25 µs: 20,000 in a second are a fifth of a core, and as many in a batch a fifth of a second.
 */
export const defaultSchemaLimits: SchemaLimits = {
  modelsMax: 200,
  archivedModelsMax: 1_000,
  versionsMax: 20,
  archivedVersionsMax: 1_000,
  keysPerEventMax: 500,
  keysPerModelMax: 2_000,
  depthMax: 32,
  pathLengthMax: 1_000,
  valueLengthMax: 200,
  sampleBytesMax: 16_384,
  samplesMax: 5,
  newKeysPerBatchMax: 20_000,
  newKeysPerSecondMax: 20_000,
  valueMemoryBytesMax: 64 * 1_024 * 1_024,
  valueBytesMax: 256 * 1_024,
}

/** What a limit kept from being learnt, named after it. The amounts are events, keys, values … as told beside each. */
export const schemaBounds = {
  modelsArchived: 'Event models that made room in memory.',
  modelsOverflow: 'Events of models beyond the limit: counted here only.',
  versionsArchived: 'Versions that made room in memory.',
  versionsOverflow: 'Events counted into the overflow version of their model.',
  keysPerEvent: 'Keys of events beyond the limit of one event.',
  keysPerModel: 'Keys that a model had no room for.',
  depth: 'Objects and lists of events that lie too deep.',
  pathLength: 'Keys of events whose path is too long.',
  pathCollisions: 'Values whose path another value of the event has too, because a key contains a dot.',
  valuesCut: 'Values that were cut.',
  valuesMissed: 'Values not counted because the memory of the counters was full.',
  valuesPruned: 'Values that gave way when counters grew past their bytes in the store.',
  sampleBytes: 'Events too large to be a sample.',
  countedOnly: 'Events counted only: too much was new at once, or they have more than 5,000 keys.',
} as const

export type SchemaBound = keyof typeof schemaBounds
