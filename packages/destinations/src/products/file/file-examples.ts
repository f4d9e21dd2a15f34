import { type DestinationExample, instrumentationError, sink } from '../../kit/index.ts'

const event = { type: 'track', event: 'Order Placed', userId: 'u1', properties: { total: 9 } }
const params = { folder: './out', rotateBytes: 104_857_600, rotateMinutes: 1_440, fsync: true }

/** The examples of the file destination. */
export const fileExamples: readonly DestinationExample[] = [
  {
    title: 'an event becomes a line of a file in the folder',
    event,
    settings: { folder: './out' },
    requests: [sink({ method: 'POST', endpoint: 'file:events', params, body: { lines: [event] } })],
  },
  {
    title: 'each type of event can have its own files',
    event,
    settings: { folder: './out', fileName: '{{ event.type || "events" }}' },
    requests: [sink({ method: 'POST', endpoint: 'file:track', params, body: { lines: [event] } })],
  },
  {
    title: 'an event cannot choose a path',
    event: { ...event, event: '../../etc/cron.d/x' },
    settings: { folder: './out', fileName: '{{ event.event || "events" }}' },
    error: instrumentationError('the event chooses an invalid file name: use letters, digits and _ . -'),
  },
]
