export { type ForkApartOptions, forkApart } from './clients/fork-apart.ts'
export { Pulse, type PulseOptions } from './clients/pulse.ts'
export { createTransport, type TransportOptions } from './create-transport.ts'
export type { ActionStep } from './deliver/action/run-action.ts'
export { type CheckOptions, checkCredentials } from './deliver/check-credentials.ts'
export {
  type Admission,
  type CircuitBreaker,
  type CircuitBreakerOptions,
  createCircuitBreaker,
} from './deliver/circuit-breaker.ts'
export { createExchange, type ExchangeOptions } from './deliver/create-exchange.ts'
export { createSend, type DeliverOptions } from './deliver/create-send.ts'
export type { Deferring } from './deliver/deferring.ts'
export type { DeliveredWatch } from './deliver/delivered-watch.ts'
export type {
  Deferral,
  DeliverableEvent,
  Delivered,
  Delivery,
  DeliveryHistory,
  RunningAttempt,
} from './deliver/event-delivery.ts'
export type { Exchange } from './deliver/exchange.ts'
export {
  createLookups,
  type Lookup,
  type LookupAnswer,
  type LookupFailure,
  type LookupResult,
  type Lookups,
  type LookupsOptions,
} from './deliver/questions/lookups.ts'
export { type Answer as QuestionAnswer, createQuestions, type Questions } from './deliver/questions/questions.ts'
export { continueMapping, waitingMapping } from './deliver/questions/waiting-mapping.ts'
export { type Judgement, judge, type Respond } from './deliver/replies/judgement.ts'
export { withoutCarriedValues } from './deliver/replies/reply-excerpt.ts'
export { retryAfterMsMax } from './deliver/replies/retry-after.ts'
export type { DeliveryTry, TryWatch } from './deliver/replies/try-watch.ts'
export { backoffMs, type Retry } from './deliver/retry.ts'
export { deliverStageName, type Send, type SendCall, sendAll } from './deliver/send.ts'
export { slowPlaces } from './deliver/slow/slow-attempts.ts'
export { type ApiEraserOptions, createApiEraser, type ErasureProgress } from './erase/api-eraser.ts'
export { type ApiSearcherOptions, createApiSearcher, type FoundRecords } from './erase/api-searcher.ts'
export { createLineEraser, type LineEraserOptions } from './erase/line-eraser.ts'
export { createS3Bucket, type S3Bucket, type S3BucketOptions, S3Error } from './sinks/s3/s3-bucket.ts'
export type {
  CountLines,
  EraseLines,
  LineErasure,
  LineSearch,
  LinesCounted,
  LinesErased,
} from './transport/erasure/line-erasure.ts'
export type { UserErasure } from './transport/erasure/user-erasure.ts'
export { type EncodedRequest, encodeRequest } from './transport/http/encode-request.ts'
export { createHttpClient, type HttpClient, type HttpClientOptions } from './transport/http/http-client.ts'
export { createUndiciTransport, type UndiciTransportOptions } from './transport/http/undici-transport.ts'
export { ownedTransport } from './transport/owned-transport.ts'
export {
  type Answer,
  createRecordingTransport,
  type RecordingTransport,
  reply,
} from './transport/recording-transport.ts'
export { type AddressGuard, createAddressGuard } from './transport/sockets/address-guard.ts'
export { createGuardedSockets, type GuardedSockets } from './transport/sockets/guarded-socket.ts'
export type {
  ClosableTransport,
  NetworkFailure,
  Reply,
  SendOptions,
  Transport,
  TransportResult,
  UnsendableRequest,
} from './transport/transport.ts'
