-- What compose.yaml runs once in a new database: Florin's role owns its database and is not a superuser. The superuser has no
-- password, so that it connects inside of the container only.
\getenv password POSTGRES_PASSWORD
create role florin login password :'password';
create database florin owner florin;
alter role postgres password null;
