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

/** An answer to a request, as far as a document describes it. */
export interface Answer {
  readonly method: string
  readonly path: string
  readonly status: number
  /** Content type without parameters; empty when there is none. */
  readonly type: string
  readonly text: string
}

/** An OpenAPI document that answers are compared with. */
export interface Contract {
  readonly document: Document
  /** Returns in what an answer differs from the document; undefined when it does not. */
  problemOf(answer: Answer): string | undefined
}

/**
 * Sends a request to a handler and checks the response against the handler's own `/openapi.json`: status, content type,
 * body.
 */
export interface DocumentedHandler {
  fetch(request: Request, env?: unknown): Promise<Response>
  readonly document: Document
}

/** By the text of the document: most servers have the same one, and compiling it takes longer than most tests. */
const contracts = new Map<string, Contract>()

/** Returns the contract that the text of an OpenAPI document states. */
export function contractOf(text: string): Contract {
  const known = contracts.get(text) ?? createContract(JSON.parse(text) as Document)
  contracts.set(text, known)
  return known
}

function createContract(document: Document): Contract {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components: document.components })
  const validators = new Map<object, ValidateFunction>()
  const problemOfBody = (schema: object, body: unknown): string | undefined => {
    const validate = validators.get(schema) ?? ajv.compile(withReferences(schema))
    validators.set(schema, validate)
    return validate(body) ? undefined : ajv.errorsText(validate.errors)
  }
  return {
    document,
    problemOf({ method, path, status, type, text }) {
      const asked = method.toLowerCase()
      const operation = operationOf(document, asked === 'head' ? 'get' : asked, path)
      const where = `${method} ${path} answered ${status}`
      if (operation === undefined)
        return [204, 404, 405].includes(status) ? undefined : `${where}, which is not documented`
      const response = operation.responses[status]
      if (response === undefined) return `${where}, a status that is not documented`
      if (response.content === undefined)
        return text === '' ? undefined : `${where} with a body, where none is documented`
      const content = response.content[type]
      if (content === undefined) return `${where} as ${type}, a content type that is not documented`
      const problem = problemOfBody(content.schema, type === 'application/json' ? JSON.parse(text) : text)
      return problem && `${where} with a body that is not as documented: ${problem}\n${text}`
    },
  }
}

/** By the areas of a `Sluice`: making the document takes longer than most tests, and only they decide what is in it. */
const contractsOfAreas = new Map<string, Promise<Contract>>()

async function askForContract(handler: Handler): Promise<Contract> {
  const answer = await handler.fetch(new Request('http://sluice.test/openapi.json'))
  return contractOf(await answer.text())
}

function contractFrom(handler: Handler & { readonly areas?: object }): Promise<Contract> {
  if (handler.areas === undefined) return askForContract(handler)
  const areas = Object.keys(handler.areas).sort().join()
  const contract = contractsOfAreas.get(areas) ?? askForContract(handler)
  contractsOfAreas.set(areas, contract)
  return contract
}

/** @param fetchDocument serves the document, when it is not the handler itself. */
export async function documented(handler: Handler, fetchDocument: Handler = handler): Promise<DocumentedHandler> {
  const contract = await contractFrom(fetchDocument)
  return {
    document: contract.document,
    fetch: async (request, env) => {
      const { method } = request
      // As the server does.
      const path = new URL(request.url).pathname.replace(/^\/{2,}/, '/').replace(/(?<=.)\/$/, '')
      const response = await handler.fetch(request, env)
      const type = response.headers.get('content-type')?.split(';')[0] ?? ''
      const text = await response.clone().text()
      const problem = contract.problemOf({ method, path, status: response.status, type, text })
      if (problem !== undefined) throw new Error(problem)
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
