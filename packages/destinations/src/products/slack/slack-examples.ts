import type { DestinationExample } from '../../kit/define/define-destination.ts'
import { form } from '../../kit/map/delivery-request.ts'

const request = (content: { readonly channel?: string; readonly text: string }, endpoint = 'https://hooks.test/all') =>
  form({
    method: 'POST',
    endpoint,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: {
      payload: JSON.stringify({
        ...content,
        username: 'RudderStack',
        icon_url: 'https://cdn.rudderlabs.com/rudderstack.png',
      }),
    },
    userId: 'u1',
  })

const order = {
  type: 'track',
  event: 'Order Placed',
  userId: 'u1',
  context: { traits: { firstName: 'Ada', lastName: 'Byron' } },
  properties: { total: 9 },
}

/** The examples of the Slack destination. */
export const slackExamples: readonly DestinationExample[] = [
  {
    title: 'identify posts the user with the allowed traits',
    event: { type: 'identify', userId: 'u1', traits: { name: 'Ada', plan: 'pro', email: 'ada@shop.test' } },
    settings: {
      webhookUrl: 'https://hooks.test/all',
      identifyTemplate: 'Hello {{name}}{{newline}}{{traits}}',
      whitelistedTraitsSettings: [{ trait: 'plan' }],
    },
    requests: [request({ text: 'Hello Ada\nplan: pro ' })],
  },
  {
    title: 'track posts the event to its channel',
    event: order,
    settings: {
      webhookUrl: 'https://hooks.test/all',
      eventChannelSettings: [{ eventName: '^Order', eventRegex: true, eventChannel: '#orders' }],
      eventTemplateSettings: [{ eventName: 'Order Placed', eventTemplate: '{{name}} paid {{properties.total}}' }],
    },
    requests: [request({ channel: '#orders', text: 'Ada Byron paid 9' })],
  },
  {
    title: 'with modern webhooks, each channel has its own webhook',
    event: order,
    settings: {
      webhookUrl: 'https://hooks.test/all',
      incomingWebhooksType: 'modern',
      eventChannelSettings: [{ eventName: 'Order Placed', eventChannelWebhook: 'https://hooks.test/orders' }],
    },
    requests: [request({ text: 'Ada Byron did Order Placed' }, 'https://hooks.test/orders')],
  },
  {
    title: 'events on the deny list are not posted',
    event: order,
    settings: { webhookUrl: 'https://hooks.test/all', denyListOfEvents: [{ eventName: 'Order Placed' }] },
    requests: [],
  },
]
