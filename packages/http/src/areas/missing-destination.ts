import type { Workspace } from '@sluice/core'
import { nearestName } from '@sluice/core/nearest-name'
import { problem } from '../gate/answer.ts'

/** Returns the refusal of an id that no destination of the workspace has; undefined when one has it. */
export function missingDestination({ destinations }: Pick<Workspace, 'destinations'>, id: string) {
  const ids = destinations.map((each) => each.id)
  if (ids.includes(id)) return undefined
  const nearest = nearestName(id, ids)
  const hint = nearest === undefined ? 'GET /v2/destinations lists them' : `did you mean ${nearest}?`
  return problem('destinationMissing', `there is no destination ${id}; ${hint}`)
}

/** Returns the refusal of an id that no source of the workspace has; undefined when one has it, or none is given. */
export function missingSource({ sources }: Pick<Workspace, 'sources'>, id: string | undefined) {
  if (id === undefined || sources.some((each) => each.id === id)) return undefined
  return problem('sourceMissing', `there is no source ${id}; GET /v2/sources lists them`)
}
