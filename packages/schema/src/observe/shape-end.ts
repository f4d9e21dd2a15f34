import type { EventShape } from '../shapes/event-shape.ts'
import { schemaHash } from '../shapes/schema-hash.ts'
import type { ModelState } from './model-state.ts'
import type { ObservedVersion } from './observed-version.ts'

/** The end of a shape in the tree, with the properties of its events for each model that has the shape. */
export class ShapeEnd {
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
