"""Starts LocalStack so that it runs the whole CDK app without Docker.

LocalStack runs Lambda functions in containers and downloads DynamoDB Local. Here functions are processes of this machine
(process_executor.py), and DynamoDB Local comes from the jars in MILLRACE_DYNAMODB_JARS. Both are set before LocalStack loads
its services. Ends as LocalStack does.
"""

import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from localstack.services.lambda_.invocation import runtime_executor


def process_executor() -> type:
    from process_executor import ProcessExecutor

    return ProcessExecutor


# First: the modules below import it by name.
runtime_executor.get_runtime_executor = process_executor

from localstack.services.dynamodb.packages import DynamoDBLocalPackageInstaller
from localstack.services.dynamodb.server import DynamodbServer
from localstack.services.lambda_ import runtimes

JARS = os.environ["MILLRACE_DYNAMODB_JARS"]


# LocalStack starts it in a session of its own: without this it would outlive a LocalStack that is killed.
ENDS_WITH_PARENT = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []


def dynamodb_command(server: DynamodbServer) -> list[str]:
    return [
        *ENDS_WITH_PARENT,
        "java",
        "-Xmx1g",
        f"-Djava.library.path={JARS}",
        "-cp",
        f"{JARS}/*",
        "com.amazonaws.services.dynamodbv2.local.main.ServerRunner",
        "-port",
        str(server.port),
        "-inMemory",
    ]


DynamoDBLocalPackageInstaller.install = lambda self, target=None: None
DynamoDBLocalPackageInstaller.get_java_env_vars = lambda self: {"PATH": os.environ["PATH"]}
DynamodbServer._create_shell_command = dynamodb_command
# This release knows it as a runtime of layers only.
if "nodejs24.x" not in runtimes.ALL_RUNTIMES:
    runtimes.ALL_RUNTIMES.append("nodejs24.x")

from localstack.runtime.main import main

main()
