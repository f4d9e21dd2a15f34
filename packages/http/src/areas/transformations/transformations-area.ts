import type { ChangeLog } from '@sluice/pipeline'
import type { Transformations } from '@sluice/transformations'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { connectRoutes } from './connect-routes.ts'
import { externalIdRoutes } from './external-id-routes.ts'
import { libraryRoutes } from './library-routes.ts'
import { publishRoutes } from './publish-routes.ts'
import { suiteRoutes } from './suite-routes.ts'
import { transformationRoutes } from './transformation-routes.ts'
import { createFindLives } from './version-life.ts'

export interface TransformationsAreaOptions {
  readonly gate: TokenGate
  readonly transformations: Transformations
  /** Has when versions were published. */
  readonly changeLog: Pick<ChangeLog, 'list'>
}

/** Transformations API. Source: packages/docs/api/transformations.md. */
export function createTransformationsArea({ gate, transformations, changeLog }: TransformationsAreaOptions): Area {
  const findLives = createFindLives(changeLog)
  return createArea([
    // Before the routes with an id in the place of `publish`.
    ...suiteRoutes(gate, transformations),
    ...transformationRoutes(gate, transformations, findLives),
    ...libraryRoutes(gate, transformations, findLives),
    ...publishRoutes(gate, transformations),
    ...connectRoutes(gate, transformations),
    ...externalIdRoutes(gate, transformations),
  ])
}
