import type { Transformations } from '@sluice/transformations'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { connectRoutes } from './connect-routes.ts'
import { externalIdRoutes } from './external-id-routes.ts'
import { libraryRoutes } from './library-routes.ts'
import { publishRoutes } from './publish-routes.ts'
import { suiteRoutes } from './suite-routes.ts'
import { transformationRoutes } from './transformation-routes.ts'

export interface TransformationsAreaOptions {
  readonly gate: TokenGate
  readonly transformations: Transformations
}

/** Transformations API. Source: packages/docs/api/transformations.md. */
export function createTransformationsArea({ gate, transformations }: TransformationsAreaOptions): Area {
  return createArea([
    // Before the routes with an id in the place of `publish`.
    ...suiteRoutes(gate, transformations),
    ...transformationRoutes(gate, transformations),
    ...libraryRoutes(gate, transformations),
    ...publishRoutes(gate, transformations),
    ...connectRoutes(gate, transformations),
    ...externalIdRoutes(gate, transformations),
  ])
}
