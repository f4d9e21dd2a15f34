export { type Backoff, backoffMs } from './backoff.ts'
export { createDeliverStage, type DeliverOptions, type Delivery, type Retry } from './deliver-stage.ts'
export { type Answer, createRecordingTransport, type RecordingTransport, reply } from './recording-transport.ts'
export type {
  NetworkFailure,
  Reply,
  SendOptions,
  Transport,
  TransportResult,
  UnsendableRequest,
} from './transport.ts'
export { type ClosableTransport, createUndiciTransport, type UndiciTransportOptions } from './undici-transport.ts'
export { judge, type Verdict } from './verdict.ts'
