import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** A handler of HTTP requests: `Sluice`, or one of its areas with its document. */
export interface Handler {
  fetch(request: Request, env?: unknown): Response | Promise<Response>
}

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >
}

export interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/**
 * Sends a request to a handler and checks the response against the handler's own `/openapi.json`: status, content type,
 * body.
 */
export interface DocumentedHandler {
  fetch(request: Request, env?: unknown): Promise<Response>
  readonly document: Document
}

interface Contract {
  readonly document: Document
  /** Returns what is wrong with a body; undefined when nothing is. */
  problemOf(schema: object, body: unknown): string | undefined
}

/** By the text of the document: most servers have the same one, and compiling it takes longer than most tests. */
const contracts = new Map<string, Contract>()

function contractOf(text: string): Contract {
  const document = JSON.parse(text) as Document
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components: document.components })
  const validators = new Map<object, ValidateFunction>()
  const validatorOf = (schema: object): ValidateFunction => {
    const known = validators.get(schema) ?? ajv.compile(withReferences(schema))
    validators.set(schema, known)
    return known
  }
  return {
    document,
    problemOf(schema, body) {
      const validate = validatorOf(schema)
      return validate(body) ? undefined : ajv.errorsText(validate.errors)
    },
  }
}

/** @param fetchDocument serves the document, when it is not the handler itself. */
export async function documented(handler: Handler, fetchDocument: Handler = handler): Promise<DocumentedHandler> {
  const answer = await fetchDocument.fetch(new Request('http://sluice.test/openapi.json'))
  const text = await answer.text()
  const contract = contracts.get(text) ?? contractOf(text)
  contracts.set(text, contract)
  const { document } = contract

  return {
    document,
    fetch: async (request, env) => {
      const method = request.method.toLowerCase()
      const { pathname } = new URL(request.url)
      const response = await handler.fetch(request, env)
      const operation = operationOf(document, method === 'head' ? 'get' : method, pathname)
      const where = `${request.method} ${pathname} answered ${response.status}`
      if (operation === undefined) {
        if (![204, 404, 405].includes(response.status)) throw new Error(`${where}, which is not documented`)
        return response
      }
      const documentedResponse = operation.responses[response.status]
      if (documentedResponse === undefined) throw new Error(`${where}, a status that is not documented`)
      const text = await response.clone().text()
      const type = response.headers.get('content-type')?.split(';')[0] ?? ''
      if (documentedResponse.content === undefined) {
        if (text !== '') throw new Error(`${where} with a body, where none is documented`)
        return response
      }
      const content = documentedResponse.content[type]
      if (content === undefined) throw new Error(`${where} as ${type}, a content type that is not documented`)
      const problem = contract.problemOf(content.schema, type === 'application/json' ? JSON.parse(text) : text)
      if (problem !== undefined) throw new Error(`${where} with a body that is not as documented: ${problem}\n${text}`)
      return response
    },
  }
}

function operationOf({ paths }: Document, method: string, pathname: string): Operation | undefined {
  const matching = Object.keys(paths)
    .filter((path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname))
    // When two match, the one with fewer parameters applies.
    .sort((a, b) => a.split('{').length - b.split('{').length)
  return matching.map((path) => paths[path]?.[method]).find((operation) => operation !== undefined)
}

function withReferences(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'))
}
