/** A queue, as a Node program uses it to take events durably and send each of them. */
export interface PeerQueue {
  /** Resolves when events are durable. @param events as JSON texts. */
  add(events: readonly string[]): Promise<void>
  /** Begins to send what was added, `requestsAtATime` events at a time. An event is done when its promise resolves. */
  work(send: (event: string) => Promise<void>): Promise<void>
}

/** Requests to the receiver at a time, as many as Sluice has. */
export const requestsAtATime = 8

/** Name of the queue, of the stream and of the kind of job. */
export const queueName = 'events'
