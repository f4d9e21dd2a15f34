import { demoConnections, trackingPlan } from './demo-workspace.ts'

/** What is set up by the API, so that people can change it in the studio: a source with its plan, and two destinations. */
const demoRecords = [
  {
    kind: 'source',
    id: 'mobile',
    body: { name: 'Mobile app', writeKey: 'demo-mobile-write-key', trackingPlan },
  },
  {
    kind: 'destination',
    id: 'orders',
    body: { name: 'Orders, masked', type: 'WEBHOOK', settings: { webhookUrl: 'https://orders.invalid/in' } },
  },
  {
    kind: 'destination',
    id: 'crm',
    body: {
      name: 'CRM',
      type: 'HS',
      settings: {
        authorizationType: 'newPrivateAppApi',
        accessToken: 'demonstration',
        apiVersion: 'newApi',
        lookupField: 'email',
        hubspotEvents: [
          {
            rsEventName: 'Order Completed',
            hubspotEventName: 'pe1_order_completed',
            eventProperties: [{ from: 'total', to: 'total' }],
          },
        ],
      },
    },
  },
] as const

/** The changes that make them, and connect them. @param hasWarehouse whether the warehouse of the file is there. */
export function demoChanges(hasWarehouse: boolean): readonly object[] {
  const isOfApi = (id: string): boolean => demoRecords.some((record) => record.id === id)
  const connections = demoConnections
    .filter(({ source, destination }) => isOfApi(source) || isOfApi(destination))
    .filter(({ destination }) => hasWarehouse || destination !== 'warehouse')
    .map((body) => ({ kind: 'connection', body }))
  return [...demoRecords, ...connections].map((record) => ({ action: 'create', ...record }))
}
