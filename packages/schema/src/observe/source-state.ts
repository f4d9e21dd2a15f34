import type { Event } from '@sluice/core'
import type { SchemaLimits } from '../schema-limits.ts'
import type { ModelKey } from '../shapes/model-key.ts'
import { modelKeyText } from '../shapes/model-key.ts'
import { leastRecent, ModelState } from './model-state.ts'
import type { ObservedSource } from './observed-source.ts'
import { createPersonalDataMask, type PersonalDataMask } from './personal-data.ts'

/** A source in the memory of the observer: what may be stored of its events, and its most recently seen models. */
export class SourceState {
  readonly observed: ObservedSource
  readonly mask: PersonalDataMask
  readonly #models = new Map<string, ModelState>()
  /** The same models by event name, which usually avoids creating a key. */
  readonly #tracks = new Map<string, ModelState>()
  readonly #others = new Map<string, ModelState>()
  /** Models held at some time, as many as a store keeps. They are not new when they occur again. */
  readonly #seen = new Set<string>()

  constructor(observed: ObservedSource) {
    this.observed = observed
    this.mask = createPersonalDataMask(observed)
  }

  get models(): Iterable<ModelState> {
    return this.#models.values()
  }

  /** Returns the model of an event if it is held under its event name. */
  known(event: Event): ModelState | undefined {
    const { type, event: name } = event
    return type === 'track' ? this.#tracks.get(name as string) : this.#others.get(type as string)
  }

  /** Returns the model of a key if it is held. */
  find(key: ModelKey): ModelState | undefined {
    return this.#models.get(modelKeyText(key))
  }

  /** Returns whether the model was held before. */
  hasSeen(key: ModelKey): boolean {
    return this.#seen.has(modelKeyText(key))
  }

  /** Adds a model. @param onEvicted gets the least recently seen model when there is no room for another. */
  add(
    key: ModelKey,
    { modelsMax, archivedModelsMax }: Pick<SchemaLimits, 'modelsMax' | 'archivedModelsMax'>,
    onEvicted: (model: ModelState) => void,
  ): ModelState {
    if (this.#models.size >= modelsMax) this.#evict(onEvicted)
    const model = new ModelState(key)
    const text = modelKeyText(key)
    this.#models.set(text, model)
    if (this.#seen.size < modelsMax + archivedModelsMax) this.#seen.add(text)
    this.#quick(model).set(key.eventType === 'track' ? key.eventIdentifier : key.eventType, model)
    return model
  }

  #quick({ key }: ModelState): Map<string, ModelState> {
    return key.eventType === 'track' ? this.#tracks : this.#others
  }

  #evict(onEvicted: (model: ModelState) => void): void {
    const oldest = leastRecent(this.#models.values())
    if (oldest === undefined) return
    const { eventType, eventIdentifier } = oldest.key
    this.#models.delete(modelKeyText(oldest.key))
    this.#quick(oldest).delete(eventType === 'track' ? eventIdentifier : eventType)
    onEvicted(oldest)
  }
}
