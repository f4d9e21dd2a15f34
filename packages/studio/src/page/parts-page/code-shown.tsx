import { CodeLines } from '../parts/code/code-lines.tsx'
import { JsonDifference } from '../parts/code/json-difference.tsx'
import { JsonTree } from '../parts/code/json-tree.tsx'
import { Panel } from '../parts/page/panel.tsx'
import { Tag } from '../parts/signs/tag.tsx'

const code = `/* Adds up
   the products. */
export function transformEvent(event) {
  const { products } = event.properties
  event.properties.count = products.reduce((all, { quantity }) => all + quantity, 0)
  return event // 'as it is'
}`
const event = {
  type: 'track',
  event: '<img src=x onerror=alert(1)>',
  traits: { email: '[email]', age: 41, isNew: true, note: null },
  products: [{ sku: 'A-1', price: 9.5 }, { sku: 'B-2' }],
  context: { library: { name: 'js' } },
}

/** Code, trees and differences. */
export function CodeShown() {
  return (
    <>
      <Panel title="Code" isFlush>
        <CodeLines
          label="Code with marks"
          text={code}
          marks={{
            4: { heat: 0.1, heatText: '10 % of the time' },
            5: { heat: 0.9, heatText: '90 % of the time', kind: 'wrong', note: 'TypeError: products is undefined' },
          }}
        />
        <CodeLines label="A query" language="sql" text={"select count(*) from tracks where event = 'It''s' -- all"} />
      </Panel>
      <Panel title="JSON" isFlush>
        <JsonTree label="An event" value={event} closed={['context']} marks={{ 'traits.age': <Tag>new</Tag> }} />
      </Panel>
      <Panel title="Difference" isFlush>
        <JsonDifference
          label="Before and after the code"
          before={event}
          after={{ ...event, event: 'Order Completed', products: [{ sku: 'A-1', price: 10 }], total: 10 }}
        />
      </Panel>
    </>
  )
}
