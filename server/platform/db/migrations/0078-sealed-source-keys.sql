-- A private key may be stored sealed (a compact JWE), which is no JSON.
alter table source_key alter column private_jwk type text using private_jwk::text;
