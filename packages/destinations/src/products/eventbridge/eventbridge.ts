import { type Static, Type } from 'typebox'
import {
  awsKeySettings,
  awsRequest,
  type DestinationExample,
  defineDestination,
  field,
  instrumentationError,
  isJsonLarger,
  sink,
  streamKey,
  streamTraits,
} from '../../kit/index.ts'

const bytesMax = 250_000 // bytes of an event; PutEvents refuses entries above 256 KB with their other members

const settings = Type.Object({
  ...awsKeySettings,
  eventBusName: field.text({
    title: 'Event bus',
    description: 'Name or ARN of the event bus; the default one when empty.',
    isFixed: true,
  }),
  detailType: field.text({
    title: 'Detail type',
    default: '',
    description: 'Text that rules use to recognise the events. EventBridge refuses events without one.',
    placeholder: 'customer event',
  }),
  resourceID: Type.Unsafe<string | readonly { readonly arn?: string }[]>({
    title: 'Resources',
    type: ['string', 'array'],
    items: { type: 'object', properties: { arn: { type: 'string', description: 'ARN of a resource.' } } },
    default: [],
    description: 'ARNs of resources that the events are about.',
    allowed: 'a list of objects with arn',
  }),
})

const example = {
  ...{ region: 'eu-west-1', accessKeyID: 'id', accessKey: 'secret' },
  ...{ eventBusName: 'shop', detailType: 'customer event', resourceID: [{ arn: 'arn:aws:s3:::shop' }] },
}
const event = { type: 'track', event: 'Signed Up', userId: 'u1' }
const requestFor = (resources: readonly string[], bus: string) =>
  sink({
    method: 'PUBLISH',
    endpoint: 'events://events.eu-west-1.amazonaws.com',
    headers: { authorization: 'Basic aWQ6c2VjcmV0' },
    params: { origin: 'https://events.eu-west-1.amazonaws.com', region: 'eu-west-1' },
    body: {
      messages: [
        {
          userId: 'u1',
          Detail: JSON.stringify(event),
          DetailType: 'customer event',
          EventBusName: bus,
          Resources: resources,
          Source: 'rudderstack',
        },
      ],
    },
    userId: 'u1',
  })

const examples: readonly DestinationExample[] = [
  {
    title: 'an event becomes the detail of an entry',
    event,
    settings: example,
    requests: [requestFor(['arn:aws:s3:::shop'], 'shop')],
  },
  {
    title: 'bus and resources can be left out',
    event,
    settings: { ...example, eventBusName: '', resourceID: '' },
    requests: [requestFor([], '')],
  },
  {
    title: 'an event that is too large for an entry fails',
    event: { ...event, properties: { text: 'x'.repeat(bytesMax) } },
    settings: example,
    error: instrumentationError(`the event has more than ${bytesMax} bytes`),
  },
]

/**
 * Puts events on a bus of Amazon EventBridge. `Source` is `rudderstack`, so that existing rules continue to match.
 *
 * Source: RudderStack docs, Amazon EventBridge destination; recorded behaviour of RudderStack's eventbridge
 * destination; AWS docs, PutEvents.
 */
export const eventbridge = defineDestination({
  type: 'EVENTBRIDGE',
  displayName: 'Amazon EventBridge',
  ...streamTraits({ itemsMax: 10, bytesMax }), // Source: AWS docs, PutEvents
  settings,
  secrets: ['accessKey'],
  requests(event, given) {
    if (isJsonLarger(event, bytesMax)) return instrumentationError(`the event has more than ${bytesMax} bytes`)
    const { detailType: DetailType, eventBusName: EventBusName = '' } = given
    const Resources = resourcesOf(given)
    const message = {
      userId: streamKey(event),
      Detail: JSON.stringify(event),
      DetailType,
      EventBusName,
      Resources,
      Source: 'rudderstack',
    }
    return awsRequest('events', given, { message })
  },
  limits: [
    `A request has at most 10 events and ${bytesMax} bytes.`,
    'EventBridge keeps no order.',
    'Roles of IAM are not supported: use an access key.',
  ],
  examples,
})

function resourcesOf({ resourceID }: Static<typeof settings>): readonly string[] {
  if (typeof resourceID === 'string') return resourceID === '' ? [] : [resourceID]
  return resourceID.flatMap(({ arn = '' }) => (arn === '' ? [] : [arn]))
}
