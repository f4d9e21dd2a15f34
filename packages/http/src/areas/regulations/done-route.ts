import type { Deletions, Regulations } from '@sluice/regulation'
import { presentCaller } from '../../gate/access/caller.ts'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, problem } from '../../gate/answer.ts'
import type { Route } from '../../routing/route.ts'
import { deletionAnswer } from './deletion-answer.ts'
import { deletionsSchema, doneBody } from './regulations-schemas.ts'

interface DoneRouteOptions {
  readonly gate: TokenGate
  readonly regulations: Pick<Regulations, 'find'>
  readonly deletions: Pick<Deletions, 'ofRegulation' | 'doneByHand'>
}

/** Creates the route that notes a deletion which a person has done, because no program could. */
export function doneRoute({ gate, regulations, deletions }: DoneRouteOptions): Route {
  return gate.route({
    method: 'post',
    path: '/v2/regulations/{id}/deletions/{destinationId}/done',
    operationId: 'completeDeletionByHand',
    summary: 'Note that a person has deleted a user at a destination that cannot do it',
    area: 'Data Regulation',
    scopes: ['write', 'operate'],
    body: doneBody,
    errors: ['regulationUnknown', 'deletionNotAborted'],
    responses: { 200: { description: 'The regulation and its deletions.', schema: deletionsSchema } },
    handle: async ({ workspace, param, body: { note } }) => {
      const regulation = await regulations.find(workspace.id, param('id'))
      if (regulation === undefined)
        return problem('regulationUnknown', 'there is no such regulation; GET /v2/regulations lists them')
      const destinationId = param('destinationId')
      const who = presentCaller()?.who ?? ''
      if (!(await deletions.doneByHand(workspace.id, regulation.id, { destinationId, who, note })))
        return problem(
          'deletionNotAborted',
          `the deletion at ${destinationId} was not aborted; GET /v2/regulations/${regulation.id}/deletions has its status`,
        )
      return answer(deletionAnswer(regulation, await deletions.ofRegulation(workspace.id, regulation.id), workspace))
    },
  })
}
