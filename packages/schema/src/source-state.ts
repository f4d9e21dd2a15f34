import type { SourcedEvent } from '@sluice/core'
import { modelKeyOf, modelKeyText } from './model-key.ts'
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

  constructor(observed: ObservedSource) {
    this.observed = observed
    this.mask = createPersonalDataMask(observed)
  }

  get models(): Iterable<ModelState> {
    return this.#models.values()
  }

  /** The model of an event; undefined when it belongs to none. */
  model(item: SourcedEvent, modelsMax: number, onEvicted: (model: ModelState) => void): ModelState | undefined {
    const { type, event: name } = item.event
    const isTrack = type === 'track'
    const quick = isTrack ? this.#tracks.get(name as string) : this.#others.get(type as string)
    if (quick !== undefined) return quick
    const key = modelKeyOf(item)
    if (key === undefined) return undefined
    const text = modelKeyText(key)
    const known = this.#models.get(text)
    if (known !== undefined) return known
    if (this.#models.size >= modelsMax) this.#evict(onEvicted)
    const model = new ModelState(key)
    this.#models.set(text, model)
    this.#quick(model).set(isTrack ? key.eventIdentifier : key.eventType, model)
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
