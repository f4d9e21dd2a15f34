export { type Backoff, doublingMs } from './backoff.ts'
export { camelCase } from './camel-case.ts'
export { type Clock, createManualClock, type ManualClock, systemClock } from './clock.ts'
export { createDeadline, type Deadline } from './deadline.ts'
export { type Detector, detectors } from './detectors.ts'
export { type Event, type EventType, eventTypes, isEventType } from './event.ts'
export { fairLevel } from './fair-level.ts'
export { FairQueue } from './fair-queue.ts'
export { identifierText } from './identifier-text.ts'
export { uuidOf, uuidV4, uuidV7 } from './ids.ts'
export { InvariantError } from './invariant-error.ts'
export {
  type IpAddress,
  type IpRange,
  isInRange,
  networkOf,
  parseIp,
  parseIpRange,
  withoutMapping,
} from './ip-address.ts'
export { isJsonObject, type JsonObject, type JsonValue } from './json.ts'
export { createKeyedQueue, type KeyedQueue } from './keyed-queue.ts'
export { defaultPiiReplacements, maskText, type PiiReplacements } from './mask-text.ts'
export { onAbort } from './on-abort.ts'
export { drop, fail, type Outcome, pass } from './outcome.ts'
export { type PathNode, parsePaths, stepInto } from './path-node.ts'
export { createPiiFinder, type PiiFinder, type PiiKind, type PiiSpan, piiKinds } from './pii-finder.ts'
export { createSeededRandom, type Random, systemRandom } from './random.ts'
export { isReachableAddress } from './reachable-address.ts'
export { SandboxBusyError } from './sandbox-busy-error.ts'
export { createSetBack } from './set-back.ts'
export { type BudgetShare, SharedBudget } from './shared-budget.ts'
export type { SourcedEvent } from './sourced-event.ts'
export type { Stage } from './stage.ts'
export { type ErrorCode, type ErrorTraits, errorTraits, type StageError } from './stage-error.ts'
export { StoreFullError } from './store-full-error.ts'
export { withoutTrailing } from './without-trailing.ts'
export {
  type AccessScope,
  type AccessToken,
  accessScopes,
  type Connection,
  type Destination,
  type Library,
  type ObservationSettings,
  type PlannedEvent,
  type Source,
  type TrackingPlan,
  type Transformation,
  type Workspace,
} from './workspace.ts'
