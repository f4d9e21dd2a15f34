// What the flow is made of. It loads no client, so that it runs in browsers too.
export { createCircuitBreaker } from './deliver/circuit-breaker.ts'
export { createSend } from './deliver/create-send.ts'
export { deliverStageName } from './deliver/send.ts'
export { createFetchTransport, type FetchTransportOptions } from './transport/http/fetch-transport.ts'
export { ownedTransport } from './transport/owned-transport.ts'
export { createRecordingTransport, reply } from './transport/recording-transport.ts'
