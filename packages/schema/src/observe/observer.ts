import type { JsonObject, Random, SourcedEvent } from '@sluice/core'
import type { ModelValues, SchemaDelta, VersionValues } from '../catalogue/schema-delta.ts'
import { overflowHash } from '../catalogue/schema-store.ts'
import type { SchemaBound, SchemaLimits } from '../schema-limits.ts'
import type { CountedValue } from '../shapes/counted-value.ts'
import { type EventShape, eventShape } from '../shapes/event-shape.ts'
import type { ModelKey } from '../shapes/model-key.ts'
import { modelKeyOf, modelKeyText } from '../shapes/model-key.ts'
import { schemaHash } from '../shapes/schema-hash.ts'
import { type ShapeNode, ShapeTree } from '../shapes/shape-tree.ts'
import { structureOf } from '../shapes/structure.ts'
import { uniteCounters } from '../values/merged-values.ts'
import { forgetSamples, type Sample } from '../values/sample.ts'
import { userDigest } from '../values/user-digest.ts'
import type { ValueCounter, ValueMemory } from '../values/value-counter.ts'
import { createRanks } from './create-ranks.ts'
import { LearningAllowance } from './learning-allowance.ts'
import type { ModelState } from './model-state.ts'
import { defaultObservation, type ObservedSource } from './observed-source.ts'
import { type CounterList, ObservedVersion } from './observed-version.ts'
import { hiddenValue } from './personal-data.ts'
import { SourceState } from './source-state.ts'

/** Memory limit of all cached shapes. Beyond it, all are discarded and learnt again. */
const shapeBytesMax = 48 * 1_024 * 1_024
/** Bytes of one key of a cached shape, of one value, and of one model that has the shape, as measured with V8. */
const shapeKeyBytes = 200
const shapeValueBytes = 16
const shapeModelBytes = 600
/** Cost of learning a key relative to counting, as measured: 10 to 25 µs instead of 0.2. */
const learningSteps = 60
/** Cost of holding a new model, in keys. */
const modelKeys = 10
/**
 * Versions that are only counted between two calls of `take`. Further ones count into the overflow version of their
 * model.
 */
const countedOnlyMax = 1_000
/** Versions whose counters wait to be stored. */
const waitingMax = 2_000

/** The end of a shape in the tree, with the properties of its events for each model that has the shape. */
class ShapeEnd {
  readonly shape: EventShape
  readonly hash: string
  readonly leavesOut: boolean
  #model: ModelState | undefined
  #version: ObservedVersion | undefined
  readonly #others = new Map<ModelState, ObservedVersion>()

  constructor(shape: EventShape) {
    this.shape = shape
    this.hash = schemaHash(shape.schema)
    this.leavesOut = Object.values(shape.leftOut).some((count) => count > 0)
  }

  /** Returns the version that counts the events of a model with this shape. */
  version(model: ModelState): ObservedVersion | undefined {
    return model === this.#model ? this.#version : this.#others.get(model)
  }

  bind(model: ModelState, version: ObservedVersion): void {
    if (this.#model !== undefined && this.#version !== undefined) this.#others.set(this.#model, this.#version)
    this.#model = model
    this.#version = version
  }
}

/**
 * Learns from events one by one. An event of a known shape costs a walk through the tree of shapes and one look-up per
 * value. Only the first event of a shape is analysed, as long as the `LearningAllowance` lasts.
 */
export class Observer {
  readonly #limits: SchemaLimits
  readonly #memory: ValueMemory
  readonly #nextRank: () => number
  readonly #tree: ShapeTree<ShapeEnd>
  readonly #allowance: LearningAllowance
  #configured: ReadonlyMap<string, ObservedSource> = new Map()
  readonly #sources = new Map<string, SourceState>()
  #touched: ObservedVersion[] = []
  /** The versions among them that are not held, by hash and model. */
  readonly #countedOnly = new Map<string, ObservedVersion>()
  /** Counters by model that will be stored and are not counted into any more. */
  readonly #waiting = new Map<string, { readonly key: ModelKey; readonly versions: VersionValues[] }>()
  #waitingCount = 0
  /** Handed over but perhaps not stored yet. Until they are stored, users are also removed here. */
  #writing: readonly VersionValues[] = []
  #given: readonly Sample[][] = []
  #bounds = new Map<string, Map<SchemaBound, number>>()
  #tick = 0

  constructor(random: Random, limits: SchemaLimits, memory: ValueMemory) {
    this.#limits = limits
    this.#memory = memory
    this.#nextRank = createRanks(random)
    this.#tree = new ShapeTree({ depthMax: limits.depthMax })
    this.#allowance = new LearningAllowance(limits)
  }

  /** Starts a batch with its learning allowance. @param now milliseconds since the epoch. */
  beginBatch(now: number): void {
    this.#allowance.beginBatch(now)
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
        list = this.#list(version, end.shape, model, source)
        // A shape that is not cached is never found again.
        if (node !== undefined) version.keepList(end.shape, list)
      }
      this.#countValues(list, version, source)
    }
    if (source.observed.samples) this.#sample(version, item, source)
    if (isBound) return steps
    this.#allowance.spend(steps)
    return steps * learningSteps
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
      this.#countBound(item.writeKey, 'countedOnly', 1)
      return 1
    }
    const end = this.#tree.walk(item.event, false)?.leaf
    this.#countOnly(key, end, at)
    return this.#tree.steps
  }

  /** Counts an event that may teach nothing: of a known shape under its version, others in the overflow version. */
  #countOnly(key: ModelKey, end: ShapeEnd | undefined, at: number): void {
    this.#countBound(key.writeKey, 'countedOnly', 1)
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

  take(): SchemaDelta {
    const taken = this.#touched.flatMap((version) => {
      version.touched = false
      return version.take() ?? []
    })
    this.#touched = []
    this.#countedOnly.clear()
    this.#given = taken.map(({ samples }) => samples)
    const bounds = [...this.#bounds].flatMap(([writeKey, counts]) =>
      [...counts].map(([bound, count]) => ({ writeKey, bound, count })),
    )
    this.#bounds = new Map()
    return { versions: taken.map(({ delta }) => delta), bounds }
  }

  /** Discards everything not yet taken, as after a crash, because those events will be read again. */
  discard(): void {
    for (const { counters } of [...this.#versions(), ...this.#waitingValues()])
      for (const counter of counters.values()) counter.release()
    this.#touched = []
    this.#countedOnly.clear()
    this.#given = []
    this.#bounds = new Map()
    this.#waiting.clear()
    this.#waitingCount = 0
    this.#sources.clear()
    this.#tree.clear()
  }

  async storeValues(write: (values: ModelValues) => Promise<void>): Promise<void> {
    for (const version of this.#versions()) this.#setAside(version)
    for (const [text, { key, versions }] of [...this.#waiting]) {
      // Counters set aside meanwhile wait for the next call.
      this.#waiting.delete(text)
      this.#waitingCount -= versions.length
      this.#writing = versions
      try {
        await write({ ...key, versions })
      } catch (error) {
        for (const each of versions) this.#wait(key, each)
        throw error
      } finally {
        this.#writing = []
      }
      for (const { counters } of versions) for (const counter of counters.values()) counter.release()
    }
  }

  pendingValues(model: ModelKey, hash?: string): ReadonlyMap<string, ValueCounter> {
    const text = modelKeyText(model)
    const isWanted = (schemaHash: string): boolean => hash === undefined || schemaHash === hash
    const waiting = this.#waiting.get(text)?.versions.filter(({ schemaHash }) => isWanted(schemaHash)) ?? []
    const live = [...this.#versions()].filter(({ key }) => isWanted(key.schemaHash) && modelKeyText(key) === text)
    return uniteCounters([...waiting, ...live].map(({ counters }) => counters))
  }

  configure(sources: readonly ObservedSource[]): void {
    this.#configured = new Map(sources.map((source) => [source.writeKey, source]))
    for (const [writeKey, { models }] of this.#sources) {
      for (const model of models) this.#evictVersions(model)
      this.#sources.delete(writeKey)
    }
    this.#tree.clear()
  }

  forget(userId: string): void {
    for (const version of new Set([...this.#touched, ...this.#versions()]))
      version.forget(userId, this.#limits.valueLengthMax)
    for (const samples of this.#given) forgetSamples(samples, userId)
    for (const { counters } of [...this.#waitingValues(), ...this.#writing])
      for (const counter of counters.values()) counter.forgetUsers([userId], this.#limits.valueLengthMax)
  }

  *#waitingValues(): Iterable<VersionValues> {
    for (const { versions } of this.#waiting.values()) yield* versions
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
    const end = new ShapeEnd(eventShape(event, this.#limits))
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

  #bind(end: ShapeEnd, model: ModelState, event: JsonObject): ObservedVersion {
    const version = model.version(end.hash, end.shape.schema, this.#limits, (evicted) => {
      this.#countBound(model.key.writeKey, 'versionsArchived', 1)
      this.#evict(evicted)
    })
    const { depthMax, keysPerModelMax } = this.#limits
    version.learn(structureOf(event, { depthMax, propertiesMax: keysPerModelMax }), keysPerModelMax)
    end.bind(model, version)
    this.#tree.addBytes(shapeModelBytes + end.shape.slots.length * shapeValueBytes)
    return version
  }

  /** Creates the list of counters by which the values of an event are counted without looking at their paths. */
  #list(version: ObservedVersion, { paths, slots }: EventShape, model: ModelState, { mask }: SourceState): CounterList {
    const { keysPerModelMax } = this.#limits
    const hidden: ValueCounter[] = []
    const noRoom = new Set<number>()
    const byPath = paths.map((path, index) => {
      if (!model.countedPaths.has(path)) {
        if (model.countedPaths.size >= keysPerModelMax) {
          this.#countBound(model.key.writeKey, 'keysPerModel', 1)
          return undefined
        }
        model.countedPaths.add(path)
      }
      let counter = version.counters.get(path)
      if (counter === undefined) {
        if (this.#isMemoryFull()) {
          noRoom.add(index)
          return undefined
        }
        counter = version.addCounter(path, this.#memory)
      }
      if (!mask.hides(path)) return counter
      hidden.push(counter)
      return undefined
    })
    const missed = noRoom.size === 0 ? 0 : slots.filter((slot) => noRoom.has(slot)).length
    return { counters: slots.map((slot) => byPath[slot]), hidden, missed }
  }

  #countValues({ counters, hidden, missed }: CounterList, version: ObservedVersion, source: SourceState): void {
    const { values, valueCount } = this.#tree
    if (missed > 0) this.#countBound(version.key.writeKey, 'valuesMissed', missed)
    for (let i = 0; i < valueCount; i += 1) {
      const counter = counters[i]
      const value = values[i]
      if (counter === undefined || value === undefined || counter.addKnown(value)) continue
      this.#countNewValue(counter, value, version, source)
    }
    for (const counter of hidden) if (!counter.addKnown(hiddenValue)) counter.addNew(hiddenValue)
  }

  #countNewValue(counter: ValueCounter, value: CountedValue, { key }: ObservedVersion, { mask }: SourceState): void {
    const { valueLengthMax } = this.#limits
    let kept = value
    if (typeof value === 'string' && value.length > valueLengthMax) {
      this.#countBound(key.writeKey, 'valuesCut', 1)
      kept = mask.cut(value, valueLengthMax)
    }
    kept = mask.value(kept)
    if (kept !== value && counter.addKnown(kept)) return
    if (!this.#isMemoryFull()) counter.addNew(kept)
    else {
      this.#countBound(key.writeKey, 'valuesMissed', 1)
      counter.miss()
    }
  }

  #isMemoryFull(): boolean {
    return this.#memory.bytes >= this.#limits.valueMemoryBytesMax || this.#memory.isFull === true
  }

  #sample(version: ObservedVersion, { event }: SourcedEvent, { observed, mask }: SourceState): void {
    const rank = this.#nextRank()
    if (!version.wants(rank)) return
    const text = JSON.stringify(mask.event(event))
    const fits = Buffer.byteLength(text) <= this.#limits.sampleBytesMax
    if (!fits) this.#countBound(observed.writeKey, 'sampleBytes', 1)
    version.sample(rank, fits ? { rank, text, user: userDigest(event['userId']) } : undefined)
  }

  #evictModel(model: ModelState): void {
    this.#countBound(model.key.writeKey, 'modelsArchived', 1)
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
    if (values !== undefined) this.#wait(version.key, values)
  }

  /**
   * Keeps counters until they are stored. If there are too many, for example from ever new shapes, drops the newest.
   */
  #wait({ writeKey, eventType, eventIdentifier }: ModelKey, values: VersionValues): void {
    if (this.#waitingCount >= waitingMax) {
      for (const counter of values.counters.values()) {
        this.#countBound(writeKey, 'valuesMissed', counter.observations)
        counter.release()
      }
      return
    }
    const key = { writeKey, eventType, eventIdentifier }
    const text = modelKeyText(key)
    const ofModel = this.#waiting.get(text) ?? { key, versions: [] }
    ofModel.versions.push(values)
    this.#waiting.set(text, ofModel)
    this.#waitingCount += 1
  }

  #countLeftOut(writeKey: string, { leftOut }: EventShape): void {
    for (const [bound, count] of Object.entries(leftOut) as [SchemaBound, number][])
      if (count > 0) this.#countBound(writeKey, bound, count)
  }

  #countBound(writeKey: string, bound: SchemaBound, count: number): void {
    const counts = this.#bounds.get(writeKey) ?? new Map<SchemaBound, number>()
    this.#bounds.set(writeKey, counts.set(bound, (counts.get(bound) ?? 0) + count))
  }
}
