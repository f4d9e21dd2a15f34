/** Limits of the catalogue. Even a source that sends arbitrary events costs no more than this. */
export interface SchemaLimits {
  /** Event models per write key whose shapes are kept in memory. The least recently seen is evicted. */
  readonly modelsMax: number
  /** Further event models per write key that are stored. Events of models beyond that are only counted. */
  readonly archivedModelsMax: number
  /** Versions per model kept in memory. The least recently seen is archived, and still returned by the API. */
  readonly versionsMax: number
  /** Further versions per model that are stored. Shapes beyond that count into one overflow version. */
  readonly archivedVersionsMax: number
  /** Keys of one event: the first in byte order are stored, the others only counted. */
  readonly keysPerEventMax: number
  /** Keys in the schema of one model, and keys of one model with value counters. */
  readonly keysPerModelMax: number
  /** Levels of one event. Deeper values are not stored. */
  readonly depthMax: number
  /** Characters of a key path. Values with longer paths are not stored. */
  readonly pathLengthMax: number
  /** Characters of a counted value. Longer values are cut. */
  readonly valueLengthMax: number
  /** Bytes of a sample as JSON text. Larger events are not sampled. */
  readonly sampleBytesMax: number
  /** Samples per version, and per model. */
  readonly samplesMax: number
  /** New keys per batch of events, or per call of a sender; the remaining events are only counted. See `LearningAllowance`. */
  readonly newKeysPerBatchMax: number
  /** New keys per workspace and second, with a reserve of ten seconds for the time after a start. */
  readonly newKeysPerSecondMax: number
  /** Estimated bytes of all value counters in the memory of one process. */
  readonly valueMemoryBytesMax: number
  /** Bytes of the stored value counters of one version or model. The rarest values are dropped. */
  readonly valueBytesMax: number
}

/**
 * 200 models, 20 versions, 5 samples, 2,000 counters, 500 keys of an event and 10 KB are the limits of RudderStack.
 * Learning a key takes 10 to 25 µs: 20,000 per second use a fifth of a core, and 20,000 in a batch take a fifth of a
 * second.
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

/** Counters of reached limits, named after the limits. The unit (events, keys, values …) is given with each. */
export const schemaBounds = {
  modelsArchived: 'Event models evicted from memory.',
  modelsOverflow: 'Events of models beyond the limit, counted only here.',
  versionsArchived: 'Versions evicted from memory.',
  versionsOverflow: 'Events counted into the overflow version of their model.',
  keysPerEvent: 'Keys of events beyond the limit of one event.',
  keysPerModel: 'Keys beyond the limit of their model.',
  depth: 'Objects and lists nested too deeply.',
  pathLength: 'Keys of events whose path is too long.',
  pathCollisions: 'Values with the same path as another value of the event, because a key contains a dot.',
  valuesCut: 'Values that were cut.',
  valuesMissed: 'Values not counted because the memory of the counters was full.',
  valuesPruned: 'Values dropped because counters exceeded their size limit in the store.',
  sampleBytes: 'Events too large to be a sample.',
  countedOnly:
    'Events that were only counted, because too much was new at the same time or they have more than 5,000 keys.',
} as const

export type SchemaBound = keyof typeof schemaBounds
