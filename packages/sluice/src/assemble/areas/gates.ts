import { createAccessAttempts, createOperatorGate, createPageSessions, createTokenGate } from '@sluice/http'
import type { Base } from '../base.ts'
import type { FlowParts } from '../flow.ts'
import type { StoreParts } from '../stores.ts'

export type Gates = ReturnType<typeof createGates>

/** Creates what decides who may call an area: by token, as the operator, or by a session of the page. */
export function createGates(
  { options, clock, logger, onError }: Base,
  { store }: StoreParts,
  { workspaces }: Pick<FlowParts, 'workspaces'>,
) {
  const { admin, clientIp } = options
  const attempts = createAccessAttempts({
    clock,
    clientIp,
    onWrong: (wrong) => logger?.warn({ ...wrong }, 'wrong credentials'),
  })
  const sessions = options.studio && createPageSessions({ clock, store: store.sessions })
  return {
    admin,
    attempts,
    sessions,
    gate: createTokenGate({ workspaces, audit: store.audit, clock, attempts, sessions, onError }),
    operatorGate: createOperatorGate({ workspaces, attempts, sessions, admin }),
  }
}
