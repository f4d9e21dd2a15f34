import type { JsonObject, Random, SourcedEvent } from '@sluice/core'
import { utf8Length } from '@sluice/core/bytes'
import type { ModelValues, SchemaDelta, VersionValues } from '../catalogue/schema-delta.ts'
import { overflowHash } from '../catalogue/schema-store.ts'
import type { SchemaBound, SchemaLimits } from '../schema-limits.ts'
import { type EventShape, eventShape } from '../shapes/event-shape.ts'
import type { ModelKey } from '../shapes/model-key.ts'
import { modelKeyOf, modelKeyText } from '../shapes/model-key.ts'
import { type ShapeNode, ShapeTree } from '../shapes/shape-tree.ts'
import { structureOf } from '../shapes/structure.ts'
import { createMentions } from '../values/mentions.ts'
import { uniteCounters } from '../values/merged-values.ts'
import type { OwnedValues } from '../values/owned-values.ts'
import { forgetSamples, type Sample } from '../values/sample.ts'
import { digestsOf } from '../values/user-digest.ts'
import type { ValueCounter, ValueMemory } from '../values/value-counter.ts'
import { BoundCounts } from './bound-counts.ts'
import { createRanks } from './create-ranks.ts'
import { LearningAllowance } from './learning-allowance.ts'
import { maskingCost } from './masking-cost.ts'
import type { ModelState } from './model-state.ts'
import { defaultObservation, type ObservedSource } from './observed-source.ts'
import { ObservedVersion } from './observed-version.ts'
import { createPersonalDataMask, type PersonalDataMask } from './personal-data.ts'
import { ShapeEnd } from './shape-end.ts'
import { SourceState } from './source-state.ts'
import { ValueCounting } from './value-counting.ts'
import { WaitingValues } from './waiting/waiting-values.ts'

/** Memory limit of all cached shapes. Beyond it, all are discarded and learnt again. */
const shapeBytesMax = 48 * 1_024 * 1_024
/** Size from which cached shapes are discarded when no new one has come between two calls of `storeValues`. */
const idleShapeBytesMax = shapeBytesMax / 6
/** Bytes of one key of a cached shape, of one value, and of one model that has the shape, as measured with V8. */
const shapeKeyBytes = 200
const shapeValueBytes = 16
const shapeModelBytes = 600
/** Cost of learning a key relative to counting, as measured: 10 to 25 µs instead of 0.2. */
const learningSteps = 60
/** By so much a sample may shrink when it is masked. */
const unmaskedFactor = 8
/** Characters that are masked in the time of one step. */
const charactersPerStep = 2
/** Cost of holding a new model, in keys. */
const modelKeys = 10
/**
 * Versions that are only counted between two calls of `take`. Further ones count into the overflow version of their
 * model.
 */
const countedOnlyMax = 1_000

/**
 * Learns from events one by one. An event of a known shape costs a walk through the tree of shapes and one look-up per
 * value. Only the first event of a shape is analysed, as long as the `LearningAllowance` lasts.
 */
export class Observer {
  readonly #limits: SchemaLimits
  readonly #nextRank: () => number
  readonly #tree: ShapeTree<ShapeEnd>
  readonly #allowance: LearningAllowance
  #configured: ReadonlyMap<string, ObservedSource> = new Map()
  /** Of keys. Shapes are shared by all sources, so it masks what any of them masks. */
  #keys = keyMaskOf([])
  readonly #sources = new Map<string, SourceState>()
  #touched: ObservedVersion[] = []
  /** Keys that were learnt since the last call of `take`. */
  #learntKeys = 0
  /** Characters of the samples that were taken since then. */
  #sampledCharacters = 0
  /** The versions among them that are not held, by hash and model. */
  readonly #countedOnly = new Map<string, ObservedVersion>()
  readonly #waiting: WaitingValues
  #given: readonly Sample[][] = []
  readonly #bounds = new BoundCounts()
  readonly #values: ValueCounting
  #tick = 0
  /** Size of the cached shapes at the last call of `storeValues`, and when they were discarded last. */
  #shapeBytesBefore = 0
  #discardedBytes = 0

  constructor(random: Random, limits: SchemaLimits, memory: ValueMemory) {
    this.#limits = limits
    this.#values = new ValueCounting(limits, memory, this.#bounds)
    this.#waiting = new WaitingValues(memory)
    this.#nextRank = createRanks(random)
    this.#tree = new ShapeTree({ depthMax: limits.depthMax })
    this.#allowance = new LearningAllowance(limits)
  }

  /** Starts a batch with its learning allowance: see `LearningAllowance.beginBatch`. */
  beginBatch(...batch: Parameters<LearningAllowance['beginBatch']>): void {
    this.#allowance.beginBatch(...batch)
  }

  /** @returns the cost, in steps of a walk through an event of a known shape. */
  observe(item: SourcedEvent, at: number): number {
    const source = this.#source(item.writeKey)
    const { isOpen } = this.#allowance
    const model = source.known(item.event) ?? this.#openModel(source, item, at)
    // The cost of an event that was counted without a model.
    if (typeof model === 'number') return model
    this.#tick += 1
    model.usedAt = this.#tick
    if (isOpen && this.#tree.bytes >= shapeBytesMax) this.#forgetShapes()
    const node = this.#tree.walk(item.event, isOpen)
    const { steps, isTooLarge } = this.#tree
    const known = node?.leaf
    const bound = known?.version(model)
    const isBound = bound !== undefined && !bound.evicted
    if (!isBound && (!isOpen || isTooLarge)) {
      this.#countOnly(model.key, known, at)
      return steps
    }
    const end = known ?? this.#end(item.event, node)
    if (end.leavesOut) this.#countLeftOut(item.writeKey, end.shape)
    const version = isBound ? bound : this.#bind(end, model, item.event)
    version.usedAt = this.#tick
    this.#count(version, at)
    if (source.observed.values) {
      let list = version.list(end.shape)
      if (list === undefined) {
        list = this.#values.listOf(version, end.shape, model, source)
        // A shape that is not cached is never found again.
        if (node !== undefined) version.keepList(end.shape, list)
      }
      this.#values.count(list, this.#tree, version, source)
    }
    const sampling = source.observed.samples ? this.#sample(version, item, source) : 0
    if (isBound) return steps + sampling
    this.#allowance.spend(steps)
    this.#learntKeys += steps
    return steps * learningSteps + sampling
  }

  /**
   * Returns the model of an event, which is held from now on. If it must not be held, counts the event and returns the
   * cost.
   */
  #openModel(source: SourceState, item: SourcedEvent, at: number): ModelState | number {
    const key = modelKeyOf(item)
    if (key === undefined) return 1
    const known = source.find(key)
    if (known !== undefined) return known
    const isNew = !source.hasSeen(key)
    if (this.#allowance.isOpen) {
      if (isNew) this.#allowance.spend(modelKeys)
      return source.add(key, this.#limits, (evicted) => this.#evictModel(evicted))
    }
    if (isNew) {
      this.#bounds.add(item.writeKey, 'countedOnly', 1)
      return 1
    }
    const end = this.#tree.walk(item.event, false)?.leaf
    this.#countOnly(key, end, at)
    return this.#tree.steps
  }

  /** Counts an event that may teach nothing: of a known shape under its version, others in the overflow version. */
  #countOnly(key: ModelKey, end: ShapeEnd | undefined, at: number): void {
    this.#bounds.add(key.writeKey, 'countedOnly', 1)
    const known = this.#countedOnly.size < countedOnlyMax ? end : undefined
    const schemaHash = known?.hash ?? overflowHash
    const text = `${schemaHash} ${modelKeyText(key)}`
    let version = this.#countedOnly.get(text)
    if (version === undefined) {
      version = new ObservedVersion({ ...key, schemaHash }, known?.shape.schema ?? {}, 0)
      this.#countedOnly.set(text, version)
    }
    this.#count(version, at)
  }

  #count(version: ObservedVersion, at: number): void {
    version.see(at)
    if (version.touched) return
    version.touched = true
    this.#touched.push(version)
  }

  get pendingVersions(): number {
    return this.#touched.length
  }

  get pendingKeys(): number {
    return this.#learntKeys
  }

  get pendingCharacters(): number {
    return this.#sampledCharacters
  }

  take(): SchemaDelta {
    const taken = this.#touched.flatMap((version) => {
      version.touched = false
      return version.take() ?? []
    })
    this.#touched = []
    this.#learntKeys = 0
    this.#sampledCharacters = 0
    this.#countedOnly.clear()
    this.#given = taken.map(({ samples }) => samples)
    return { versions: taken.map(({ delta }) => delta), bounds: this.#bounds.take() }
  }

  /** Discards everything not yet taken, as after a crash, because those events will be read again. */
  discard(): void {
    for (const { counters } of this.#versions()) for (const counter of counters.values()) counter.release()
    this.#waiting.discard()
    this.#touched = []
    this.#learntKeys = 0
    this.#sampledCharacters = 0
    this.#countedOnly.clear()
    this.#given = []
    this.#bounds.take()
    this.#sources.clear()
    this.#tree.clear()
  }

  /** Estimated size of the cached shapes. */
  get shapeBytes(): number {
    return this.#tree.bytes
  }

  get holdsValues(): boolean {
    if (this.#waiting.areSome) return true
    for (const { counters } of this.#versions()) if (counters.size > 0) return true
    return false
  }

  setValuesAside(): void {
    this.#returnShapes()
    for (const version of this.#versions()) this.#setAside(version)
  }

  async storeValues(write: (values: ModelValues) => Promise<void>): Promise<void> {
    this.setValuesAside()
    await this.#waiting.store(write, ({ writeKey }, { counters }) => this.#lose(writeKey, counters))
  }

  pendingValues(model: ModelKey, hash?: string): ReadonlyMap<string, ValueCounter> {
    const text = modelKeyText(model)
    const isWanted = (schemaHash: string): boolean => hash === undefined || schemaHash === hash
    const waiting = this.#waiting.of(text).filter(({ schemaHash }) => isWanted(schemaHash))
    const live = [...this.#versions()].filter(({ key }) => isWanted(key.schemaHash) && modelKeyText(key) === text)
    return uniteCounters([...waiting, ...live].map(({ counters }) => counters))
  }

  configure(sources: readonly ObservedSource[]): void {
    this.#configured = new Map(sources.map((source) => [source.writeKey, source]))
    this.#keys = keyMaskOf(sources)
    for (const [writeKey, { models }] of this.#sources) {
      for (const model of models) this.#evictVersions(model)
      this.#sources.delete(writeKey)
    }
    this.#tree.clear()
  }

  forget(identifiers: readonly string[], owned?: OwnedValues): void {
    const mentions = createMentions(identifiers, this.#limits.valueLengthMax, owned)
    for (const version of new Set([...this.#touched, ...this.#versions()])) version.forget(mentions)
    for (const samples of this.#given) forgetSamples(samples, mentions)
    this.#waiting.forget(mentions)
  }

  *#versions(): Iterable<ObservedVersion> {
    for (const { models } of this.#sources.values()) for (const { versions } of models) yield* versions
  }

  #source(writeKey: string): SourceState {
    const known = this.#sources.get(writeKey)
    if (known !== undefined) return known
    const source = new SourceState(this.#configured.get(writeKey) ?? { writeKey, ...defaultObservation })
    this.#sources.set(writeKey, source)
    return source
  }

  #end(event: JsonObject, node: ShapeNode<ShapeEnd> | undefined): ShapeEnd {
    const end = new ShapeEnd(eventShape(event, this.#limits, this.#keys.key))
    const { paths, slots } = end.shape
    if (node !== undefined) {
      node.leaf = end
      this.#tree.addBytes(paths.length * shapeKeyBytes + slots.length * shapeValueBytes)
    }
    return end
  }

  #forgetShapes(): void {
    this.#tree.clear()
    for (const version of this.#versions()) version.forgetLists()
  }

  /**
   * Discards the shapes of a flood that is over. Those that still occur are learnt again; when these are about as many as
   * were discarded, they are all in use, and are kept from then on.
   */
  #returnShapes(): void {
    const { bytes } = this.#tree
    const isOver = bytes === this.#shapeBytesBefore
    const isUsed = this.#discardedBytes > 0 && bytes >= this.#discardedBytes / 2
    if (isOver && !isUsed && bytes > idleShapeBytesMax) {
      this.#discardedBytes = bytes
      this.#forgetShapes()
    }
    this.#shapeBytesBefore = this.#tree.bytes
  }

  #bind(end: ShapeEnd, model: ModelState, event: JsonObject): ObservedVersion {
    const version = model.version(end.hash, end.shape.schema, this.#limits, (evicted) => {
      this.#bounds.add(model.key.writeKey, 'versionsArchived', 1)
      this.#evict(evicted)
    })
    const { depthMax, keysPerModelMax } = this.#limits
    version.learn(structureOf(event, { depthMax, propertiesMax: keysPerModelMax }, this.#keys.key), keysPerModelMax)
    end.bind(model, version)
    this.#tree.addBytes(shapeModelBytes + end.shape.slots.length * shapeValueBytes)
    return version
  }

  /** @returns the cost, in steps. */
  #sample(version: ObservedVersion, { event }: SourcedEvent, { observed, mask }: SourceState): number {
    const rank = this.#nextRank()
    if (!version.wants(rank)) return 0
    const costMax = this.#limits.sampleBytesMax * unmaskedFactor
    const cost = maskingCost(event, costMax)
    const text = cost > costMax ? undefined : this.#sampleText(event, mask)
    if (text === undefined) this.#bounds.add(observed.writeKey, 'sampleBytes', 1)
    this.#sampledCharacters += text?.length ?? 0
    version.sample(rank, text === undefined ? undefined : { rank, text, user: digestsOf(event) })
    return cost / charactersPerStep
  }

  /** Returns the text of a sample, undefined where it is too long. */
  #sampleText(event: JsonObject, mask: PersonalDataMask): string | undefined {
    const text = JSON.stringify(mask.event(event))
    return utf8Length(text) <= this.#limits.sampleBytesMax ? text : undefined
  }

  #evictModel(model: ModelState): void {
    this.#bounds.add(model.key.writeKey, 'modelsArchived', 1)
    this.#evictVersions(model)
    model.clear()
  }

  #evictVersions({ versions }: ModelState): void {
    for (const version of versions) this.#evict(version)
  }

  #evict(version: ObservedVersion): void {
    version.evicted = true
    this.#setAside(version)
  }

  #setAside(version: ObservedVersion): void {
    const values = version.takeValues()
    // If too many counters wait, drops these.
    if (values === undefined || this.#waiting.add(version.key, values)) return
    this.#lose(version.key.writeKey, values.counters)
    for (const counter of values.counters.values()) counter.release()
  }

  #lose(writeKey: string, counters: VersionValues['counters']): void {
    for (const { observations } of counters.values()) this.#bounds.add(writeKey, 'valuesMissed', observations)
  }

  #countLeftOut(writeKey: string, { leftOut }: EventShape): void {
    for (const [bound, count] of Object.entries(leftOut) as [SchemaBound, number][])
      if (count > 0) this.#bounds.add(writeKey, bound, count)
  }
}

function keyMaskOf(sources: readonly ObservedSource[]): PersonalDataMask {
  const masking = sources.length === 0 ? [defaultObservation] : sources
  return createPersonalDataMask({ maskPaths: [], detectors: masking.flatMap(({ detectors }) => detectors) })
}
