// Keeps orders and the people who made them, without their addresses.
import { maskEmail } from 'pii'

export function transformEvent(event, metadata) {
  if (event.type === 'identify') {
    const { email, phone, ...traits } = event.traits
    return { ...event, traits: { ...traits, email: maskEmail(email) } }
  }
  if (event.event !== 'Order Completed') return null
  if (event.properties.internal) return null

  const { email, ...properties } = event.properties
  const items = properties.products.reduce((sum, product) => sum + product.quantity, 0)
  const { sourceName } = metadata(event)
  return { ...event, properties: { ...properties, email: maskEmail(email), items, sourceName } }
}
