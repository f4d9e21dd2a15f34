/** The limit of products for which no server is there to test with. */
export const notRunYet = 'It has not yet been run against the product: its tests check the statements it sends.'
