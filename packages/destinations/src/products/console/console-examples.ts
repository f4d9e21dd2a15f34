import { type DestinationExample, sink } from '../../kit/index.ts'

const event = { type: 'track', event: 'Order Placed', userId: 'u1', properties: { total: 9 } }

/** The examples of the console destination. */
export const consoleExamples: readonly DestinationExample[] = [
  {
    title: 'an event becomes a line on standard output',
    event,
    settings: {},
    requests: [sink({ method: 'POST', endpoint: 'console:stdout', body: { lines: [event] } })],
  },
  {
    title: 'the lines can go to standard error, so that standard output is free for the program',
    event,
    settings: { stream: 'stderr' },
    requests: [sink({ method: 'POST', endpoint: 'console:stderr', body: { lines: [event] } })],
  },
]
