import Type, { type Static } from 'typebox'
import { type Area, createArea } from '../../routing/area.ts'
import { productVersion } from '../../routing/product-version.ts'
import { escaped, smallPage, wantsPage } from '../../routing/small-page.ts'

/** The documentation comes with the source, and has no address of its own. */
const documentation = 'packages/docs in the repository of Sluice; npx sluice --help lists the commands'

const welcome = Type.Object(
  {
    name: Type.Literal('Sluice'),
    version: Type.String(),
    openapi: Type.String({ description: 'Path of the document of all routes of this port.' }),
    studio: Type.Optional(Type.String({ description: 'Path of the page for people. Absent where it is not served.' })),
    documentation: Type.String({ description: 'Where the documentation is.' }),
  },
  { additionalProperties: false },
)

export interface WelcomeOptions {
  /** Whether this port serves the studio. */
  readonly hasStudio: boolean
}

/** `GET /`: says what answers here, and where to go on. A page for browsers, JSON for others. Needs no credential. */
export function createWelcomeArea({ hasStudio }: WelcomeOptions): Area {
  const said: Static<typeof welcome> = {
    name: 'Sluice',
    version: productVersion,
    openapi: '/openapi.json',
    studio: hasStudio ? '/studio/' : undefined,
    documentation,
  }
  return createArea([
    {
      method: 'get',
      path: '/',
      operationId: 'getWelcome',
      summary: 'What this is, and where to go on',
      area: 'Service',
      credential: 'open',
      responses: {
        200: {
          description: 'What it is, and where to find more. A page for browsers.',
          schema: Type.String(),
          contentType: 'text/html',
          asJson: welcome,
        },
      },
      handle: (context) => {
        if (!wantsPage(context)) return context.json(said)
        return smallPage(context, 'Sluice', page(said))
      },
    },
  ])
}

function page({ version, studio }: Static<typeof welcome>): string {
  const links = [
    ...(studio === undefined ? [] : [['studio/', 'Studio', 'events, code and destinations of this server']]),
    ['openapi', 'API', 'all routes of this port'],
    ['openapi.json', 'OpenAPI document', 'the same for tools'],
  ]
  const items = links.map(([href, name, about]) => `<li><a href="${href}">${name}</a>: ${about}</li>`).join('\n')
  return `<h1>Sluice ${escaped(version)}</h1>
<p>This server takes customer events from sources to destinations.</p>
<ul>
${items}
<li>Documentation: ${escaped(documentation)}</li>
</ul>`
}
