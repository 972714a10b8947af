import { z } from 'zod';
import type { OutboundClient } from '../../../platform/outbound/outbound-client.ts';
import { OutboundFailedError, OutboundRefusedError } from '../../../platform/outbound/request.ts';

export interface EmbeddingsConfig {
  /** The address of an OpenAI-compatible API, with or without the path of its embeddings. */
  url: string;
  model: string;
  key: string | null;
}

/** Text as a point: of two that mean nearly the same, the cosine is nearly 1. */
export interface Vector {
  model: string;
  /** Of length 1, so that the cosine of two is the sum of their products. */
  values: readonly number[];
}

export interface Embedder {
  model: string;
  /** Makes a vector of each text; throws `EmbeddingsFault` when the endpoint does not. */
  embed(texts: readonly string[], options: { timeoutMs: number; signal?: AbortSignal }): Promise<Vector[]>;
}

/** The endpoint failed. The message says how, and names neither texts nor the address. */
export class EmbeddingsFault extends Error {
  constructor(reason: string) {
    super(`embeddings failed: ${reason}`);
    this.name = 'EmbeddingsFault';
  }
}

const Answer = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).min(2).max(8192) })),
});

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * Creates a client of `POST /v1/embeddings` as OpenAI defines it and Ollama, TEI and vLLM answer it. The operator names the
 * address, which may be on their own machine; without TLS it may be there only, for the words of records go to it.
 */
export function createEmbedder(outbound: OutboundClient, { url, model, key }: EmbeddingsConfig): Embedder {
  const address = url.endsWith('/embeddings') ? url : `${url.replace(/\/v1$/, '')}/v1/embeddings`;
  return {
    model,
    async embed(input, options) {
      const response = await outbound
        .request({
          method: 'POST',
          url: address,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            ...(key !== null && { authorization: `Bearer ${key}` }),
          },
          body: JSON.stringify({ model, input, encoding_format: 'float' }),
          maxBytes: MAX_ANSWER_BYTES,
          allowPrivate: true,
          allowPlain: true,
          ...options,
        })
        .catch(rethrowOutbound);
      if (response.status !== 200) throw new EmbeddingsFault(`status ${response.status}`);
      return readVectors(response.body, input.length).map((values) => ({ model, values }));
    },
  };
}

function rethrowOutbound(error: unknown): never {
  if (error instanceof OutboundFailedError || error instanceof OutboundRefusedError)
    throw new EmbeddingsFault(error.reason);
  throw error;
}

/** Reads one vector for each text, in their order and of one length; none of them may be zero. */
function readVectors(body: Buffer, count: number): number[][] {
  const answer = Answer.safeParse(parseJson(body));
  if (!answer.success) throw new EmbeddingsFault('malformed answer');
  const vectors = answer.data.data.toSorted((one, other) => one.index - other.index).map(toUnit);
  const length = vectors[0]?.length;
  const isWhole = answer.data.data.every(({ index }) => index >= 0 && index < count);
  if (!isWhole || vectors.length !== count || vectors.some((each) => each.length !== length))
    throw new EmbeddingsFault('not a vector for each text');
  return vectors;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}

function toUnit({ embedding }: { embedding: readonly number[] }): number[] {
  const length = Math.hypot(...embedding);
  if (!Number.isFinite(length) || length === 0) throw new EmbeddingsFault('a vector without direction');
  return embedding.map((value) => value / length);
}

/** The signs of a vector's numbers as PostgreSQL writes bits. */
export const toSigns = (values: readonly number[]): string =>
  values.map((value) => (value > 0 ? '1' : '0')).join('');
