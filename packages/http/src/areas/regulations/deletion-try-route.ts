import type { Deletions, Regulations } from '@sluice/regulation'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, problem } from '../../gate/answer.ts'
import type { Route } from '../../routing/route.ts'
import { deletionAnswer } from './deletion-answer.ts'
import { deletionsSchema } from './regulations-schemas.ts'

interface DeletionTryRouteOptions {
  readonly gate: TokenGate
  readonly regulations: Pick<Regulations, 'find'>
  readonly deletions: Pick<Deletions, 'ofRegulation' | 'tryNow'>
}

/** Creates the route that tries a failed deletion now, in place of at its next time. */
export function deletionTryRoute({ gate, regulations, deletions }: DeletionTryRouteOptions): Route {
  return gate.route({
    method: 'post',
    path: '/v2/regulations/{id}/deletions/{destinationId}/try',
    operationId: 'tryDeletion',
    summary: 'Try a failed deletion at a destination now',
    area: 'Data Regulation',
    scopes: ['operate'],
    errors: ['regulationUnknown', 'deletionNotWaiting'],
    responses: { 200: { description: 'The regulation and its deletions, before the try.', schema: deletionsSchema } },
    handle: async ({ workspace, param }) => {
      const regulation = await regulations.find(workspace.id, param('id'))
      if (regulation === undefined)
        return problem('regulationUnknown', 'there is no such regulation; GET /v2/regulations lists them')
      const destinationId = param('destinationId')
      if (!(await deletions.tryNow(workspace.id, regulation.id, destinationId)))
        return problem(
          'deletionNotWaiting',
          `no failed deletion at ${destinationId} waits; GET /v2/regulations/${regulation.id}/deletions has its status`,
        )
      return answer(deletionAnswer(regulation, await deletions.ofRegulation(workspace.id, regulation.id), workspace))
    },
  })
}
