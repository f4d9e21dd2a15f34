import type { Event } from '@sluice/core'
import type { ModelKey } from '../catalogue/schema-delta.ts'
import type { SchemaLimits } from '../catalogue/schema-limits.ts'
import { modelKeyText } from '../shapes/model-key.ts'
import { leastRecent, ModelState } from './model-state.ts'
import type { ObservedSource } from './observed-source.ts'
import { createPersonalDataMask, type PersonalDataMask } from './personal-data.ts'

/** One source as the observer holds it: what may be kept of its events, and the models seen last. */
export class SourceState {
  readonly observed: ObservedSource
  readonly mask: PersonalDataMask
  readonly #models = new Map<string, ModelState>()
  /** The same models by the name they come with, which for most spares making a key. */
  readonly #tracks = new Map<string, ModelState>()
  readonly #others = new Map<string, ModelState>()
  /** Models that were held at some time, as many as a store keeps: they are not new when they come again. */
  readonly #seen = new Set<string>()

  constructor(observed: ObservedSource) {
    this.observed = observed
    this.mask = createPersonalDataMask(observed)
  }

  get models(): Iterable<ModelState> {
    return this.#models.values()
  }

  /** The model of an event, where it is held by the name it comes with. */
  known(event: Event): ModelState | undefined {
    const { type, event: name } = event
    return type === 'track' ? this.#tracks.get(name as string) : this.#others.get(type as string)
  }

  /** The model of a key, where it is held. */
  find(key: ModelKey): ModelState | undefined {
    return this.#models.get(modelKeyText(key))
  }

  /** Whether the model was held before. */
  hasSeen(key: ModelKey): boolean {
    return this.#seen.has(modelKeyText(key))
  }

  /** Holds a model. @param onEvicted gets the least recently seen one when there is no room for one more. */
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
