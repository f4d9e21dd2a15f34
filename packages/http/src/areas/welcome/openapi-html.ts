import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { escaped } from '../../routing/small-page.ts'

/** Returns an OpenAPI document of ours as HTML, for people: all routes by area, with what they take and answer. */
export function openapiHtml(document: JsonObject): string {
  const byArea = new Map<string, string[]>()
  for (const [path, methods] of members(document['paths']))
    for (const [method, operation] of members(methods)) {
      if (!isJsonObject(operation)) continue
      const [area] = list(operation['tags']).map(String)
      const operations = byArea.get(area ?? '') ?? []
      byArea.set(area ?? '', operations)
      operations.push(operationHtml(method, path, operation))
    }
  const { title, version } = objectOf(document['info'])
  const areas = [...byArea.keys()]
  return `<h1>${text(title)} ${text(version)}: API</h1>
<p>All routes of this port. For tools: <a href="openapi.json">openapi.json</a>. <a href="./">Start page</a>.</p>
<nav aria-label="Areas"><ul>
${areas.map((area, i) => `<li><a href="#area-${i}">${escaped(area)}</a></li>`).join('\n')}
</ul></nav>
${areas.map((area, i) => `<h2 id="area-${i}">${escaped(area)}</h2>\n${(byArea.get(area) ?? []).join('\n')}`).join('\n')}`
}

function operationHtml(method: string, path: string, operation: JsonObject): string {
  const { summary, description, security, parameters, requestBody, responses } = operation
  const credentials = [...new Set(list(security).flatMap((each) => Object.keys(objectOf(each))))]
  const notes = [
    description === undefined ? '' : text(description),
    credentials.length === 0 ? 'Needs no credential.' : `Credential: ${escaped(credentials.join(' or '))}.`,
  ]
  return `<details>
<summary><code>${escaped(method.toUpperCase())} ${escaped(path)}</code> <span class="soft">${text(summary)}</span></summary>
<p>${notes.filter((note) => note !== '').join(' ')}</p>
${list(parameters).map(parameterHtml).join('\n')}
${requestBody === undefined ? '' : `<h3>Body</h3>\n${contentHtml(objectOf(requestBody))}`}
<h3>Answers</h3>
${members(responses)
  .map(
    ([status, answer]) =>
      `<p>${escaped(status)}: ${text(objectOf(answer)['description'])}</p>${contentHtml(objectOf(answer))}`,
  )
  .join('\n')}
</details>`
}

function parameterHtml(parameter: JsonValue): string {
  const { name, in: place, required, schema } = objectOf(parameter)
  const need = required === true ? 'required' : 'optional'
  return `<p><code>${text(name)}</code> <span class="soft">in the ${text(place)}, ${need}</span></p>${schemaHtml(schema)}`
}

/** Problems are the same everywhere, and named only. */
function contentHtml({ content }: JsonObject): string {
  return members(content)
    .map(([type, media]) => {
      const { schema } = objectOf(media)
      const isNamed = isJsonObject(schema) && '$ref' in schema
      return `<p class="soft">${escaped(type)}</p>${isNamed ? '' : schemaHtml(schema)}`
    })
    .join('\n')
}

function schemaHtml(schema: JsonValue | undefined): string {
  return schema === undefined ? '' : `<pre><code>${escaped(JSON.stringify(schema, null, 2))}</code></pre>`
}

function text(value: JsonValue | undefined): string {
  return escaped(typeof value === 'string' ? value : '')
}

function members(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return Object.entries(objectOf(value)).flatMap(([name, member]) => (member === undefined ? [] : [[name, member]]))
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}
