export {
  type IpAddress,
  type IpRange,
  isInRange,
  networkOf,
  parseIp,
  parseIpRange,
  parseIpRanges,
  withoutMapping,
} from './address/ip-address.ts'
export { isIp, isIpv4, isIpv6 } from './address/is-ip.ts'
export { convertedHostLength, convertedHostLengthMax, parseUrl, requireUrl } from './address/parse-url.ts'
export { isReachableAddress } from './address/reachable-address.ts'
export { InvariantError } from './errors/invariant-error.ts'
export { SandboxBusyError } from './errors/sandbox-busy-error.ts'
export { StoreFullError } from './errors/store-full-error.ts'
export { type Event, type EventType, eventTypes, isEventType } from './event/event.ts'
export { type EventOrigin, identifiersOf, someIdentifier, unitedOrigins } from './event/event-identifiers.ts'
export { identifierText } from './event/identifier-text.ts'
export { isJsonObject, isSameJson, type JsonObject, type JsonValue } from './event/json.ts'
export { type PathNode, parsePaths, stepInto } from './event/path-node.ts'
export {
  comparableIdentifier,
  type FurtherIdentifier,
  furtherIdentifiers,
  keysOfEvent,
  keysOfPerson,
  keyText,
  markedKey,
  namedUserOf,
  readKey,
  someFurther,
  someKey,
} from './event/person-keys.ts'
export type { SourcedEvent } from './event/sourced-event.ts'
export { userKeyOf } from './event/user-key.ts'
export { uuidOf, uuidV4, uuidV7, uuidV7From, uuidV7Time } from './random/ids.ts'
export { createSeededRandom, type Random, systemRandom } from './random/random.ts'
export { fairLevel } from './sharing/fair-level.ts'
export { FairQueue } from './sharing/fair-queue.ts'
export { createKeyedQueue, type KeyedQueue } from './sharing/keyed-queue.ts'
export { type BudgetShare, SharedBudget } from './sharing/shared-budget.ts'
export { drop, fail, type Outcome, pass } from './stage/outcome.ts'
export type { Stage } from './stage/stage.ts'
export { type ErrorCode, type ErrorTraits, errorTraits, type StageError } from './stage/stage-error.ts'
export { formPairs } from './text/form-pairs.ts'
export { schemaPattern } from './text/schema-pattern.ts'
export { createTextSearch, type TextRange, type TextSearch } from './text/text-search.ts'
export { withoutTrailing } from './text/without-trailing.ts'
export { type Backoff, doublingMs } from './time/backoff.ts'
export { type Clock, createManualClock, type ManualClock, systemClock } from './time/clock.ts'
export { createDeadline, type Deadline } from './time/deadline.ts'
export { isCloudflareWorker } from './time/is-cloudflare-worker.ts'
export { onAbort } from './time/on-abort.ts'
export { createSetBack } from './time/set-back.ts'
export {
  type AccessScope,
  type AccessToken,
  accessScopes,
  adminScopes,
  type Connection,
  type Destination,
  type Detector,
  defaultScopes,
  detectors,
  type FormerWriteKey,
  type Library,
  type ObservationSettings,
  type OnInvalid,
  onInvalidChoices,
  type PlannedEvent,
  type Source,
  type TrackingPlan,
  type Transformation,
  type Workspace,
} from './workspace.ts'
