import type { Clock, JsonObject } from '@sluice/core'
import { ownedTransport, type Transport } from '@sluice/delivery'
import { type Engine, findUsers, type LookParts, type ReportedStores, reportUser, type Store } from '@sluice/pipeline'
import {
  type Certificates,
  createStatusCallbacks,
  createSubjectRequests,
  type LedgerPlace,
  type Regulations,
  type StatusCallbacks,
  type StatusReport,
  type SubjectRequests,
} from '@sluice/regulation'
import type { Logger } from '../logger.ts'
import { createCallbackProblem } from './callback-problem.ts'
import { reportedStores } from './reported-stores.ts'

interface OpenDsrParts {
  readonly place: LedgerPlace | undefined
  readonly store: Store
  readonly engine: Pick<Engine, 'inTurns'>
  readonly regulations: Regulations
  readonly certificates: Certificates
  readonly transport: Transport
  readonly allowAddresses: readonly string[]
  readonly clock: Clock
  readonly logger: Logger | undefined
  isActive(): boolean
  onError(error: unknown): void
}

/** Time limit of a call to a controller, in milliseconds. */
const callTimeMs = 10_000

/** Creates what answers requests of OpenDSR, and what calls controllers back. */
export function createOpenDsr(parts: OpenDsrParts): {
  readonly requests: SubjectRequests
  readonly callbacks: StatusCallbacks
} {
  const { place, store, regulations, certificates, transport, clock, logger, isActive, onError } = parts
  const requests = createSubjectRequests({
    place,
    store: store.regulations,
    regulations,
    certificates,
    clock,
    callbackProblem: createCallbackProblem(parts.allowAddresses),
    findUsers: (workspaceId, search) => findUsers(workspaceId, search, store, parts, 'any'),
    report: (workspaceId, userId) => reportOf(workspaceId, userId, reportedStores(store, regulations), parts),
    onChanged: () => callbacks.wake(),
  })
  const callbacks = createStatusCallbacks({
    store: store.regulations,
    sign: (text) => requests.sign(text),
    clock,
    post: (report, workspaceId, signal) => post(ownedTransport(transport, workspaceId), report, signal),
    isActive,
    onGivenUp: ({ workspaceId: workspace, id: request }, reason) =>
      logger?.warn({ workspace, request, reason }, 'a call-back of OpenDSR was given up'),
    onError,
  })
  return { requests, callbacks }
}

/** Returns the report of a user, without identifiers: what is stored must not outlive an erasure. */
async function reportOf(
  workspaceId: string,
  userId: string,
  stores: ReportedStores,
  look: LookParts,
): Promise<JsonObject> {
  const { held, destinations, regulations, notes } = await reportUser({ workspaceId, userId }, stores, look)
  return {
    held: held.map((place) => ({ ...place })),
    destinations: destinations.map((each) => ({ ...each })),
    regulations: regulations.map(({ id, regulationType, createdAt }) => ({ id, regulationType, createdAt })),
    notes: [...notes],
  }
}

/** @returns why the controller did not accept it. */
async function post(
  transport: Transport,
  { url, headers, body }: StatusReport,
  signal: AbortSignal,
): Promise<string | undefined> {
  const result = await transport.send(
    {
      version: '1',
      type: 'REST',
      method: 'POST',
      endpoint: url,
      headers,
      params: {},
      body: { JSON: {}, JSON_ARRAY: {}, XML: {}, FORM: {}, RAW: { text: body } },
      files: {},
    },
    { signal, timeMs: callTimeMs },
  )
  if (result.kind !== 'reply') return result.message
  return result.status >= 200 && result.status < 300 ? undefined : `status ${result.status}`
}
