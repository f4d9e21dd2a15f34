// The same in workerd, which answers over HTTP. It compiles no WebAssembly, so the engine is a module of the worker.

import { answer } from './answer.mjs'
import engine from './engine.wasm'

export default {
  async fetch(request) {
    try {
      return Response.json(await answer(await request.json(), { engine }))
    } catch (error) {
      return new Response(String(error?.stack ?? error), { status: 500 })
    }
  },
}
