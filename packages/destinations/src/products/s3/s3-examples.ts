import { type DestinationExample, sink } from '../../kit/index.ts'

const event = { type: 'track', event: 'Order Placed', userId: 'u1', properties: { total: 9 } }
const key = { bucketName: 'events', accessKeyID: 'id', accessKey: 'secret' }
const authorization = 'Basic aWQ6c2VjcmV0'

/** The examples of the S3 destination. */
export const s3Examples: readonly DestinationExample[] = [
  {
    title: 'an event becomes a line of an object, named by source, day and time',
    event,
    settings: { ...key, prefix: 'shop/', region: 'eu-central-1' },
    sourceId: 'web',
    requests: [
      sink({
        method: 'PUT',
        endpoint:
          's3://events/shop/rudder-logs/web/01-01-2024/1704067200.web.0a221152-e577-a5d5-00ed-d00b72d084b5.json.gz',
        headers: { authorization },
        params: { region: 'eu-central-1', origin: 'https://s3.eu-central-1.amazonaws.com', pathStyle: false },
        body: { lines: [event] },
      }),
    ],
  },
  {
    title: 'another server is set by endPoint, and has the bucket in the path',
    event,
    settings: { ...key, endPoint: 'http://minio.test:9000', enableSSE: true },
    sourceId: 'web',
    requests: [
      sink({
        method: 'PUT',
        endpoint: 's3://events/rudder-logs/web/01-01-2024/1704067200.web.0a221152-e577-a5d5-00ed-d00b72d084b5.json.gz',
        headers: { authorization, 'x-amz-server-side-encryption': 'AES256' },
        params: { region: 'us-east-1', origin: 'http://minio.test:9000', pathStyle: true },
        body: { lines: [event] },
      }),
    ],
  },
  {
    title: 'an event that chooses the prefix stays in the bucket',
    event: { type: 'track', event: '../../other bucket/?x' },
    settings: { ...key, prefix: '{{ event.event || "none" }}' },
    now: Date.UTC(2024, 11, 31, 23, 59, 59, 999),
    requests: [
      sink({
        method: 'PUT',
        endpoint:
          's3://events/other%20bucket/%3Fx/rudder-logs/unknown/12-31-2024/1735689599.unknown.dc0f9cc1-6c0f-b076-4f76-8857a5dab7b2.json.gz',
        headers: { authorization },
        params: { region: 'us-east-1', origin: 'https://s3.us-east-1.amazonaws.com', pathStyle: false },
        body: { lines: [{ type: 'track' }] },
      }),
    ],
  },
]
